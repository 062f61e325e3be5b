// Elements, made without markup: whatever a name contains, it stays text.

export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made && name !== "list") {
      made[name] = value;
    } else {
      made.setAttribute(name, value);
    }
  }
  made.append(...children);
  return made;
}

export function options(values) {
  return values.map(([value, text, disabled]) => element("option", { value, disabled: Boolean(disabled) }, text));
}

export function labelled(text, control) {
  return element("label", { className: "field" }, element("span", {}, text), control);
}

export function button(text, act, more = {}) {
  const made = element("button", { type: "button", ...more }, text);
  made.addEventListener("click", act);
  return made;
}

export function toggle(text, pressed, onChange) {
  const made = button(text, () => {
    const now = made.getAttribute("aria-pressed") !== "true";
    made.setAttribute("aria-pressed", String(now));
    onChange(now);
  }, { className: "toggle", "aria-pressed": String(pressed) });
  return made;
}

export function shown(value) {
  if (!Number.isFinite(value)) {
    return "\u2013";
  }
  const size = Math.abs(value);
  const extreme = size !== 0 && (size < 1e-3 || size >= 1e5);
  const text = extreme ? value.toExponential(2) : String(Number(value.toPrecision(3)));
  return text.replaceAll("-", "\u2212");
}
