// A report's page: curves, the moment that is shown, and the view.
import { Curves } from "./curves.js";
import { element } from "./dom.js";
import { makeThemeSwitch } from "./theme.js";
import { makePlayer, Timeline } from "./timeline.js";
import { inflate, unpacker } from "./unpack.js";
import { View } from "./view.js";

async function start() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const unpack = unpacker(await inflate(document.getElementById("arrays").textContent));
  const times = unpack(data.times);
  const timeline = new Timeline(times);
  makeThemeSwitch(document.querySelector("header"));
  makePlayer(document.getElementById("player"), timeline);
  const curves = document.getElementById("plots");
  if (data.panels.length) {
    new Curves(curves, data, times, timeline, unpack);
  } else {
    curves.append(element("p", { className: "note" }, "There are no curves to show."));
  }
  if (data.scene) {
    try {
      new View(data.scene, times, timeline, unpack);
    } catch (error) {
      const text = `The view cannot be shown (it needs WebGL): ${error.message}`;
      document.getElementById("stage").replaceChildren(element("p", { className: "note" }, text));
    }
  }
  timeline.set(data.start);
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  const text = `Curves and view cannot be shown: ${error.message}. Answer and tables do not need them.`;
  document.getElementById("plots").append(element("p", { className: "note", role: "alert" }, text));
});
