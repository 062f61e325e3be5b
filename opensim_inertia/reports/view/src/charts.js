// One plot: its curves with a legend of toggles, the moment that is shown, and values where the pointer is.
import uPlot from "uplot";
import { nearestRow } from "./axis.js";
import { element, shown, toggle } from "./dom.js";
import { saveButtons } from "./save.js";
import { colour, faint, isPrinting } from "./theme.js";

const ROLES = ["lumped", "inertial", "others"];
const PALETTE = 8;
const FONT = "12px system-ui, sans-serif";
const HEIGHT = 230;
const PRINTED = 660; // width on paper [px]
const STACKED = 0.8;

// Names of the curves' colours in page.css.
function colours(series) {
  let next = 0;
  return series.map((one) => (ROLES.includes(one.role) ? `curve-${one.role}` : `curve-${1 + (next++ % PALETTE)}`));
}

// The rows of areas on top of each other: what is above zero upwards, what is below it downwards. Where a curve has no
// value the stack has none.
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
  const isThere = (i) => series.every((one) => Number.isFinite(one.values[i]));
  return [...rows, total].map((row) => Array.from(row, (value, i) => (isThere(i) ? value : null)));
}

export class Chart {
  // The plot's curves have values at places x along its axis; "gaps" and "marks" are places along it, too.
  constructor(plot, axis, timeline, onZoom) {
    this.plot = plot;
    this.axis = axis;
    this.timeline = timeline;
    this.colours = colours(plot.series);
    this.visible = plot.series.map(() => true);
    this.bandVisible = true;
    this.onZoom = onZoom;
    this.root = element("figure", { className: "plot" });
    this.holder = element("div", { className: "canvas", tabIndex: 0, role: "slider" });
    this.place = element("span", { className: "value" });
    const unit = plot.unit ? ` [${plot.unit}]` : "";
    const caption = element("figcaption", {}, `${plot.title}${unit} `, this.place);
    this.legend = element("div", { className: "legend", role: "group", "aria-label": `${plot.title}: curves shown` });
    this.root.append(caption, this.legend, this.holder);
    this.makeLegend();
    this.legend.append(...saveButtons(this));
    this.holder.setAttribute("aria-label", `${plot.title}${unit}: values along the ${axis.label}`);
    this.holder.addEventListener("keydown", (event) => this.step(event));
  }

  makeLegend() {
    this.values = this.plot.series.map((one, k) => this.entry(one.label, this.colours[k], one, (now) => {
      this.visible[k] = now;
      this.redo();
    }));
    if (this.plot.band) {
      this.bandValue = this.entry(this.plot.bandLabel, "band", {}, (now) => {
        this.bandVisible = now;
        this.redo();
      });
    }
  }

  entry(label, name, { opposite }, onChange) {
    const swatch = element("span", { className: `swatch ${opposite ? "dotted" : ""}` });
    swatch.style.setProperty("--colour", `var(--${name})`);
    const value = element("span", { className: "value" });
    const button = toggle("", true, onChange);
    button.append(swatch, `${label} `, value);
    this.legend.append(button);
    return value;
  }

  data() {
    const { x, series, band, stacked } = this.plot;
    if (stacked) {
      return [x, ...stack(series, this.visible)];
    }
    const empty = new Array(x.length).fill(null);
    const kept = (values, isKept) => (isKept ? Array.from(values, (v) => (Number.isFinite(v) ? v : null)) : empty);
    const lines = series.map((one, k) => kept(one.values, this.visible[k]));
    const ends = band ? band.map((end) => kept(end, this.bandVisible)) : [];
    return [x, ...lines, ...ends];
  }

  series() {
    const alone = this.plot.x.length === 1;
    const hidden = { stroke: "transparent", width: 0, points: { show: false } };
    if (this.plot.stacked) {
      const edges = this.colours.flatMap((name) =>
        [0, 1].map(() => ({ ...hidden, stroke: () => colour(name), width: 0.5 })));
      return [{}, hidden, ...edges, { stroke: () => colour("ink"), width: 1.5, points: { show: alone } }];
    }
    const lines = this.plot.series.map((one, k) => ({
      stroke: () => colour(this.colours[k]),
      width: one.role === "lumped" ? 3 : 1.75,
      dash: one.opposite ? [2, 3] : undefined,
      points: { show: alone },
    }));
    return [{}, ...lines, ...(this.plot.band ? [hidden, hidden] : [])];
  }

  bands() {
    if (this.plot.stacked) {
      return this.colours.flatMap((name, k) => [
        { series: [2 * k + 2, k ? 2 * k : 1], fill: () => faint(name, STACKED) },
        { series: [k ? 2 * k + 1 : 1, 2 * k + 3], fill: () => faint(name, STACKED) },
      ]);
    }
    const count = this.plot.series.length;
    return this.plot.band ? [{ series: [count + 2, count + 1], fill: () => colour("band") }] : [];
  }

  show() {
    const said = (_, ticks) => ticks.map((tick) => (tick === null ? "" : shown(tick)));
    const line = () => colour("grid");
    const axis = {
      font: FONT, stroke: () => colour("ink"), grid: { stroke: line, width: 1 }, ticks: { stroke: line, size: 5 },
      values: said,
    };
    const sync = { key: "curves", scales: ["x", null], setSeries: false };
    const filters = { pub: (type) => type === "mousemove" || type === "mouseleave" };
    this.chart = new uPlot(
      {
        width: this.width(),
        height: HEIGHT,
        legend: { show: false },
        cursor: {
          drag: { x: true, y: false, setScale: true }, points: { show: false }, y: false, sync: { ...sync, filters },
        },
        scales: { x: { time: false } },
        axes: [
          { ...axis, label: this.axis.label, labelFont: FONT, labelSize: 16, labelGap: 0, size: 28 },
          { ...axis, size: 62 },
        ],
        series: this.series(),
        bands: this.bands(),
        hooks: {
          drawClear: [(chart) => this.drawBehind(chart)],
          draw: [(chart) => this.drawLine(chart, this.axis.toX(this.timeline.time), "cursor", [])],
          setScale: [(chart, key) => key === "x" && this.onZoom(this, chart.scales.x.min, chart.scales.x.max)],
          setCursor: [(chart) => this.say(chart.cursor.left >= 0 ? chart.posToVal(chart.cursor.left, "x") : null)],
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
        this.timeline.set(this.axis.toTime(this.chart.posToVal(left, "x")));
      }
    });
    this.setTime();
  }

  width() {
    return isPrinting() ? PRINTED : Math.max(this.holder.clientWidth, 240);
  }

  resize() {
    this.chart.setSize({ width: this.width(), height: HEIGHT });
  }

  redo() {
    this.chart.setData(this.data(), false);
    const { min, max } = this.chart.scales.x;
    this.chart.setScale("x", { min, max });
    this.setTime();
  }

  // Times without an answer are grey, and a foot that leaves the ground is a dashed line.
  drawBehind(chart) {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = colour("gap");
    for (const gap of this.plot.gaps) {
      const [left, right] = gap.map((x) => chart.valToPos(x, "x", true));
      ctx.fillRect(left, bbox.top, right - left, bbox.height);
    }
    ctx.restore();
    this.plot.marks.forEach((x) => this.drawLine(chart, x, "soft", [4, 4]));
  }

  drawLine(chart, place, name, dash) {
    const { ctx, bbox } = chart;
    const x = Math.round(chart.valToPos(place, "x", true));
    if (!(x >= bbox.left && x <= bbox.left + bbox.width)) {
      return;
    }
    ctx.save();
    ctx.strokeStyle = colour(name);
    ctx.lineWidth = (dash.length ? 1 : 2) * devicePixelRatio;
    ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  setTime() {
    this.say(null);
    this.chart.redraw(false, false);
  }

  // The values at a place, which the pointer is at, or else at the moment that is shown.
  say(pointed) {
    const { x, series, band } = this.plot;
    const place = pointed ?? this.axis.toX(this.timeline.time);
    const row = nearestRow(x, place);
    const beyond = place < x[0] - 1e-9 || place > x[x.length - 1] + 1e-9;
    const at = (values) => (beyond ? "\u2013" : shown(values[row]));
    series.forEach((one, k) => (this.values[k].textContent = at(one.values)));
    if (band) {
      this.bandValue.textContent = band.map(at).join(" to ");
    }
    const where = this.axis.said(x.length > 1 && !beyond ? x[row] : place);
    this.place.textContent = `at ${where}`;
    const words = [where, ...series.map((one, k) => `${one.label} ${this.values[k].textContent}`)];
    const numbers = { valuemin: x[0], valuemax: x[x.length - 1], valuenow: place, valuetext: words.join(", ") };
    Object.entries(numbers).forEach(([name, value]) => this.holder.setAttribute(`aria-${name}`, String(value)));
  }

  step(event) {
    const { x } = this.plot;
    const row = nearestRow(x, this.axis.toX(this.timeline.time));
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
    const rows = { Home: 0, End: x.length - 1, ...(event.key in steps ? { [event.key]: row + steps[event.key] } : {}) };
    if (event.target === this.holder && event.key in rows) {
      event.preventDefault();
      const to = Math.min(Math.max(rows[event.key], 0), x.length - 1);
      this.timeline.set(this.axis.toTime(x[to]));
    }
  }
}
