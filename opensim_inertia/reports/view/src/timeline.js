// The moment that curves and view show, and the controls that move it.
import { element, labelled, options } from "./dom.js";

const SPEEDS = [["1", "\u00d7 1"], ["0.5", "\u00d7 0.5"], ["0.25", "\u00d7 0.25"], ["0.1", "\u00d7 0.1"]];

export class Timeline {
  constructor(times) {
    this.first = times[0];
    this.last = times[times.length - 1];
    this.time = this.first;
    this.playing = false;
    this.speed = 0.25;
    this.listeners = [];
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  set(time) {
    this.time = Math.min(Math.max(time, this.first), this.last);
    this.tell();
  }

  tell() {
    this.listeners.forEach((listener) => listener(this.time));
  }

  play(on) {
    this.playing = on;
    if (on && this.time >= this.last) {
      this.time = this.first;
    }
    let before = null;
    const step = (now) => {
      if (!this.playing) {
        return;
      }
      if (before !== null) {
        const next = this.time + ((now - before) / 1000) * this.speed;
        this.set(next > this.last ? this.first : next);
      }
      before = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    this.tell();
  }
}

export function makePlayer(place, timeline) {
  if (timeline.last <= timeline.first) {
    place.remove();
    return;
  }
  const button = element("button", { type: "button", id: "play" });
  const span = timeline.last - timeline.first;
  const slider = element("input", { type: "range", min: 0, max: 1000, step: 1, id: "time", "aria-label": "Time" });
  const told = element("output", { id: "now" });
  const speed = element("select", { id: "speed" }, ...options(SPEEDS));
  speed.value = String(timeline.speed);
  button.addEventListener("click", () => timeline.play(!timeline.playing));
  slider.addEventListener("input", () => timeline.set(timeline.first + (slider.valueAsNumber / 1000) * span));
  speed.addEventListener("change", () => (timeline.speed = Number(speed.value)));
  place.append(button, slider, told, labelled("Speed", speed));
  timeline.listen((time) => {
    button.textContent = timeline.playing ? "Pause" : "Play";
    slider.value = String(Math.round((1000 * (time - timeline.first)) / span));
    told.textContent = `${time.toFixed(3)} s`;
    slider.setAttribute("aria-valuetext", told.textContent);
  });
}
