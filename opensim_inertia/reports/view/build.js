// Builds bundle.js, the one script of a report's page: `npm ci && npm run build`, the same bytes each time.
import { readFileSync } from "node:fs";
import { build } from "esbuild";

const licences = ["three", "uplot"].map((name) => {
  const about = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  return `${about.name} ${about.version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`;
});

await build({
  entryPoints: ["src/main.js"],
  outfile: process.argv[2] ?? "bundle.js",
  bundle: true,
  minify: true,
  charset: "ascii",
  format: "iife",
  target: "es2022",
  legalComments: "none",
  loader: { ".css": "text" },
  banner: { js: `/*!\nThis script contains:\n\n${licences.join("\n\n")}\n*/` },
});
