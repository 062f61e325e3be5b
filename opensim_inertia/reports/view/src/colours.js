// Colours by which muscles are told apart: the more, the further from the background, so that grey shows it as well.
import { Color } from "three";
import { shown } from "./dom.js";
import { isDark } from "./theme.js";

const RAMPS = {
  mass: ["#f2d7a0", "#e08a4a", "#a8322d", "#4b0d2b"],
  speed: ["#cfe8d5", "#5fb3a6", "#1f6f8b", "#17264f"],
  activation: ["#c9d7ee", "#9c8fc4", "#c0392b", "#6b0d12"],
};
const IN_THE_DARK = {
  mass: ["#7a3349", "#b8514a", "#e8965a", "#fbe7bd"],
  speed: ["#3b4f8f", "#2f86a0", "#6cc0b0", "#dff5e3"],
  activation: ["#565f94", "#9c8fc4", "#ee7565", "#ffe1d6"],
};
const UNKNOWN = "#8f8f8f";

function stopsOf(kind) {
  return (isDark() ? IN_THE_DARK : RAMPS)[kind];
}

export function ramp(kind, share) {
  const stops = stopsOf(kind);
  if (!Number.isFinite(share)) {
    return new Color(UNKNOWN).toArray();
  }
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  return new Color(stops[k]).lerp(new Color(stops[k + 1]), at - k).toArray();
}

export function key(kind, most, unit) {
  const background = `linear-gradient(to right, ${stopsOf(kind).join(", ")})`;
  return { background, low: "0", high: `${shown(most)} ${unit}` };
}
