// The page's colours, which page.css has for light and dark: as the system has it, or as the reader chooses. What is
// printed is light.
import { element, labelled, options } from "./dom.js";

const CHOICES = [["", "as the system"], ["light", "light"], ["dark", "dark"]];
const root = document.documentElement;
const printing = matchMedia("print");
const system = matchMedia("(prefers-color-scheme: dark)");
const probe = element("span", { hidden: true });
const listeners = [];
const known = new Map();

export function isPrinting() {
  return printing.matches;
}

export function isDark() {
  return !printing.matches && (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
}

// A colour of page.css, such as "line" for --line, as rgb(...).
export function colour(name) {
  if (!known.has(name)) {
    probe.style.color = `var(--${name})`;
    known.set(name, getComputedStyle(probe).color);
  }
  return known.get(name);
}

// The same, of which so much shows what lies behind it.
export function faint(name, share) {
  return colour(name).replace(/rgba?\(([^,]+),([^,]+),([^,)]+).*/, `rgba($1,$2,$3, ${share})`);
}

export function onTheme(listener) {
  listeners.push(listener);
}

function tell() {
  known.clear();
  listeners.forEach((listener) => listener());
}

export function makeThemeSwitch(place) {
  document.body.append(probe);
  const choice = element("select", { id: "theme" }, ...options(CHOICES));
  choice.addEventListener("change", () => {
    root.dataset.theme = choice.value;
    tell();
  });
  [printing, system].forEach((query) => query.addEventListener("change", tell));
  place.prepend(labelled("Colours", choice));
}
