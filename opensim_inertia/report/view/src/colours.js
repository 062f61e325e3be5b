// Colours by which muscles are told apart, light to dark so that they are so in grey as well.
import { Color } from "three";
import { shown } from "./dom.js";

const RAMPS = {
  mass: ["#f2d7a0", "#e08a4a", "#a8322d", "#4b0d2b"],
  speed: ["#cfe8d5", "#5fb3a6", "#1f6f8b", "#17264f"],
  activation: ["#c9d7ee", "#9c8fc4", "#c0392b", "#6b0d12"],
};
const UNKNOWN = "#b5b5b5";

export function ramp(kind, share) {
  const stops = RAMPS[kind];
  if (!Number.isFinite(share)) {
    return new Color(UNKNOWN).toArray();
  }
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  return new Color(stops[k]).lerp(new Color(stops[k + 1]), at - k).toArray();
}

export function key(kind, most, unit) {
  const background = `linear-gradient(to right, ${RAMPS[kind].join(", ")})`;
  return { background, low: "0", high: `${shown(most)} ${unit}` };
}
