import js from "@eslint/js";
import globals from "globals";

const rules = {
  "curly": "error",
  "eqeqeq": "error",
  "no-var": "error",
  "prefer-const": "error",
  "max-len": ["error", { code: 120 }],
  "no-restricted-properties": ["error", ...["innerHTML", "outerHTML"].map((property) => ({ property }))],
};

export default [
  { ignores: ["bundle.js", "node_modules/"] },
  js.configs.recommended,
  { files: ["src/**"], languageOptions: { globals: globals.browser }, rules },
  { files: ["*.js"], languageOptions: { globals: globals.node }, rules },
];
