// Curves: panels of plots with a legend of toggles, zoom, and the time cursor. A plot that draws few rows of a long run
// has times of its own.
import uPlot from "uplot";
import style from "uplot/dist/uPlot.min.css";
import { element, labelled, options, shown } from "./dom.js";

const ROLES = { lumped: "#333333", inertial: "#c84b00", moved: "#0072b2", others: "#8a8a8a", all: "#000000" };
const PALETTE = ["#0072b2", "#c84b00", "#00875f", "#b5568c", "#9a6a00", "#2a8bc4", "#6a4c93", "#7a4a3a"];
const BAND = "rgba(200, 75, 0, 0.22)";
const FONT = "12px system-ui, sans-serif";
const HEIGHT = 230;

function colours(series) {
  let next = 0;
  return series.map((one) => ROLES[one.role] ?? PALETTE[next++ % PALETTE.length]);
}

// The rows of areas on top of each other: what is above zero upwards, what is below it downwards.
function stack(series, visible) {
  const count = series[0].values.length;
  const rows = [];
  const up = new Float64Array(count);
  const down = new Float64Array(count);
  rows.push(Float64Array.from(up));
  series.forEach((one, k) => {
    if (visible[k]) {
      one.values.forEach((value, i) => (value > 0 ? (up[i] += value) : (down[i] += value)));
    }
    rows.push(Float64Array.from(up), Float64Array.from(down));
  });
  const total = new Float64Array(count).map((_, i) => up[i] + down[i]);
  return [...rows, total];
}

function nearestRow(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    [low, high] = times[middle] <= time ? [middle, high] : [low, middle];
  }
  return time - times[low] <= times[high] - time ? low : high;
}

class Chart {
  constructor(plot, times, timeline, onZoom) {
    this.plot = plot;
    this.times = times;
    this.timeline = timeline;
    this.colours = colours(plot.series);
    this.visible = plot.series.map(() => true);
    this.bandVisible = true;
    this.onZoom = onZoom;
    this.root = element("figure", { className: "plot" });
    this.holder = element("div", { className: "canvas" });
    const unit = plot.unit ? ` [${plot.unit}]` : "";
    this.legend = element("div", { className: "legend", role: "group", "aria-label": `${plot.title}: curves shown` });
    this.root.append(element("figcaption", {}, plot.title + unit), this.legend, this.holder);
    this.makeLegend();
  }

  makeLegend() {
    this.values = this.plot.series.map((one, k) => this.entry(one.label, this.colours[k], one.role, (now) => {
      this.visible[k] = now;
      this.redo();
    }));
    if (this.plot.band) {
      this.bandValue = this.entry(this.plot.bandLabel, BAND, "band", (now) => {
        this.bandVisible = now;
        this.redo();
      });
    }
  }

  entry(label, colour, role, onChange) {
    const swatch = element("span", { className: role === "moved" ? "swatch dashed" : "swatch" });
    swatch.style.setProperty("--colour", colour);
    const value = element("span", { className: "value" });
    const button = element("button", { type: "button", className: "toggle" }, swatch, `${label} `, value);
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      const now = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(now));
      onChange(now);
    });
    this.legend.append(button);
    return value;
  }

  data() {
    const { series, band, stacked } = this.plot;
    if (stacked) {
      return [this.times, ...stack(series, this.visible)];
    }
    const empty = new Array(this.times.length).fill(null);
    const kept = (values, isKept) => (isKept ? Array.from(values, (v) => (Number.isFinite(v) ? v : null)) : empty);
    const lines = series.map((one, k) => kept(one.values, this.visible[k]));
    const ends = band ? band.map((end) => kept(end, this.bandVisible)) : [];
    return [this.times, ...lines, ...ends];
  }

  series() {
    const alone = this.times.length === 1;
    const hidden = { stroke: "transparent", width: 0, points: { show: false } };
    if (this.plot.stacked) {
      const edges = this.colours.flatMap((colour) => [0, 1].map(() => ({ ...hidden, stroke: colour, width: 0.5 })));
      return [{}, hidden, ...edges, { stroke: ROLES.all, width: 1.5, points: { show: alone } }];
    }
    const lines = this.plot.series.map((one, k) => ({
      stroke: this.colours[k],
      width: one.role === "lumped" ? 3 : 1.75,
      dash: one.role === "moved" ? [6, 4] : undefined,
      points: { show: alone },
    }));
    return [{}, ...lines, ...(this.plot.band ? [hidden, hidden] : [])];
  }

  bands() {
    if (this.plot.stacked) {
      return this.colours.flatMap((fill, k) => [
        { series: [2 * k + 2, k ? 2 * k : 1], fill: `${fill}cc` },
        { series: [k ? 2 * k + 1 : 1, 2 * k + 3], fill: `${fill}cc` },
      ]);
    }
    const count = this.plot.series.length;
    return this.plot.band ? [{ series: [count + 2, count + 1], fill: BAND }] : [];
  }

  show() {
    const said = (_, ticks) => ticks.map((tick) => (tick === null ? "" : shown(tick)));
    const ticks = { stroke: "#bbb", size: 5 };
    const axis = { font: FONT, stroke: "#333", grid: { stroke: "#e3e3e3", width: 1 }, ticks, values: said };
    this.chart = new uPlot(
      {
        width: this.width(),
        height: HEIGHT,
        legend: { show: false },
        cursor: { drag: { x: true, y: false, setScale: true }, points: { show: false }, y: false },
        scales: { x: { time: false } },
        axes: [
          { ...axis, label: "time [s]", labelFont: FONT, labelSize: 16, labelGap: 0, size: 28 },
          { ...axis, size: 62 },
        ],
        series: this.series(),
        bands: this.bands(),
        hooks: {
          draw: [(chart) => this.drawTime(chart)],
          setScale: [(chart, key) => key === "x" && this.onZoom(this, chart.scales.x.min, chart.scales.x.max)],
        },
      },
      this.data(),
      this.holder,
    );
    let pressed = 0;
    this.chart.over.addEventListener("mousedown", (event) => (pressed = event.clientX));
    this.chart.over.addEventListener("mouseup", (event) => {
      if (Math.abs(event.clientX - pressed) < 4) {
        const left = event.clientX - this.chart.over.getBoundingClientRect().left;
        this.timeline.set(this.chart.posToVal(left, "x"));
      }
    });
    this.setTime(this.timeline.time);
  }

  width() {
    return Math.max(this.holder.clientWidth, 240);
  }

  redo() {
    this.chart.setData(this.data(), false);
    const { min, max } = this.chart.scales.x;
    this.chart.setScale("x", { min, max });
    this.setTime(this.timeline.time);
  }

  drawTime(chart) {
    const { ctx, bbox } = chart;
    const x = Math.round(chart.valToPos(this.timeline.time, "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) {
      return;
    }
    ctx.save();
    ctx.strokeStyle = "#003a8c";
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  setTime(time) {
    const row = nearestRow(this.times, time);
    this.plot.series.forEach((one, k) => (this.values[k].textContent = shown(one.values[row])));
    if (this.plot.band) {
      this.bandValue.textContent = this.plot.band.map((end) => shown(end[row])).join(" to ");
    }
    this.chart.redraw(false, false);
  }
}

export class Curves {
  constructor(place, panels, times, timeline, unpack) {
    document.head.append(element("style", {}, style));
    this.panels = panels;
    this.times = Array.from(times);
    this.timeline = timeline;
    this.unpack = unpack;
    this.charts = [];
    this.zooming = false;
    this.choice = element("select", { id: "panel" });
    for (const group of new Set(panels.map((panel) => panel.group))) {
      const some = panels.map((panel, i) => [i, panel]).filter(([, panel]) => panel.group === group);
      const list = options(some.map(([i, panel]) => [String(i), panel.name]));
      this.choice.append(element("optgroup", { label: group }, ...list));
    }
    this.choice.value = "0";
    this.choice.addEventListener("change", () => this.open(Number(this.choice.value)));
    const button = (text, id, act) => {
      const made = element("button", { type: "button", id }, text);
      made.addEventListener("click", act);
      return made;
    };
    const buttons = [
      button("Zoom in", "zoom-in", () => this.zoomBy(0.5)),
      button("Zoom out", "zoom-out", () => this.zoomBy(2)),
      button("Whole run", "zoom-reset", () => this.zoom(this.times[0], this.times[this.times.length - 1])),
    ];
    const bar = element("div", { className: "bar" }, labelled("Show", this.choice));
    const hint = "Drag across a plot to zoom, click to set the time; the legend\u2019s buttons hide and show curves.";
    this.holder = element("div", {});
    place.append(bar, this.holder);
    if (this.times.length > 1) {
      bar.append(...buttons);
      place.insertBefore(element("p", { className: "note" }, hint), this.holder);
    }
    timeline.listen((time) => this.charts.forEach((chart) => chart.setTime(time)));
    new ResizeObserver(() => this.resize()).observe(this.holder);
    this.open(0);
  }

  open(which) {
    const range = this.charts[0]?.chart.scales.x;
    this.charts.forEach((chart) => chart.chart.destroy());
    this.holder.replaceChildren();
    const unpacked = this.panels[which].plots.map((plot) => ({
      ...plot,
      times: plot.times ? Array.from(this.unpack(plot.times)) : this.times,
      series: plot.series.map((one) => ({ ...one, values: this.unpack(one.values) })),
      band: plot.band && plot.band.map(this.unpack),
    }));
    this.charts = unpacked.map((plot) => new Chart(plot, plot.times, this.timeline, (...told) => this.follow(...told)));
    this.charts.forEach((chart) => {
      this.holder.append(chart.root);
      chart.show();
    });
    if (range && this.times.length > 1) {
      this.zoom(range.min, range.max);
    }
  }

  // What one plot shows, the others show too.
  follow(chart, min, max) {
    this.holder.dataset.from = String(min);
    this.holder.dataset.to = String(max);
    if (!this.zooming && this.times.length > 1) {
      this.zooming = true;
      this.charts.filter((other) => other !== chart && other.chart).forEach(({ chart: plot }) => {
        plot.setScale("x", { min, max });
      });
      this.zooming = false;
    }
  }

  zoom(min, max) {
    this.charts[0]?.chart.setScale("x", { min, max });
  }

  zoomBy(factor) {
    const first = this.times[0];
    const last = this.times[this.times.length - 1];
    const { min, max } = this.charts[0].chart.scales.x;
    const now = this.timeline.time;
    const middle = now >= min && now <= max ? now : (min + max) / 2;
    const half = Math.min(((max - min) / 2) * factor, (last - first) / 2);
    const centre = Math.min(Math.max(middle, first + half), last - half);
    this.zoom(centre - half, centre + half);
  }

  resize() {
    this.charts.forEach((chart) => chart.chart.setSize({ width: chart.width(), height: HEIGHT }));
  }
}
