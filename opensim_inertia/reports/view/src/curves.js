// Panels of plots, one panel at a time: over time or a gait cycle, per kilogram, one side or both; and their zoom. A
// plot that draws few rows of a long run has times of its own.
import style from "uplot/dist/uPlot.min.css";
import { cyclesOf, CycleAxis, TimeAxis } from "./axis.js";
import { Chart } from "./charts.js";
import { button, element, labelled, options, toggle } from "./dom.js";
import { onTheme } from "./theme.js";

const SIDES = { r: "right", l: "left" };
const WEIGHED = ["N m", "N"]; // units that can be divided by the model's mass

export class Curves {
  constructor(place, data, times, timeline, unpack) {
    document.head.append(element("style", {}, style));
    this.data = data;
    this.panels = data.panels;
    this.times = Array.from(times);
    this.timeline = timeline;
    this.unpack = unpack;
    this.charts = [];
    this.zooming = false;
    this.perKilogram = false;
    this.bothSides = false;
    this.controls(place);
    timeline.listen(() => this.charts.forEach((chart) => chart.setTime()));
    onTheme(() => this.resize());
    new ResizeObserver(() => this.resize()).observe(this.holder);
    this.open();
  }

  controls(place) {
    this.choice = element("select", { id: "panel" });
    for (const group of new Set(this.panels.map((panel) => panel.group))) {
      const some = this.panels.map((panel, i) => [i, panel]).filter(([, panel]) => panel.group === group);
      const list = options(some.map(([i, panel]) => [String(i), panel.name]));
      this.choice.append(element("optgroup", { label: group }, ...list));
    }
    this.choice.value = "0";
    this.choice.addEventListener("change", () => this.open());
    const bar = element("div", { className: "bar" }, labelled("Show", this.choice));
    this.holder = element("div", {});
    place.append(bar, ...this.switches(), this.holder);
    if (this.times.length > 1) {
      bar.append(
        button("Zoom in", () => this.zoomBy(0.5), { id: "zoom-in" }),
        button("Zoom out", () => this.zoomBy(2), { id: "zoom-out" }),
        button("Whole run", () => this.zoom(...this.axis.range), { id: "zoom-reset" }),
      );
      const hint =
        "The pointer shows the values at its place in all plots, arrow keys those of the row before and after; drag " +
        "to zoom, click to set the time. The legend\u2019s buttons hide and show curves. Grey times have no answer.";
      place.insertBefore(element("p", { className: "note" }, hint), this.holder);
    }
  }

  // The switches that have something to switch.
  switches() {
    const bar = element("div", { className: "bar", role: "group", "aria-label": "How curves are drawn" });
    if (this.data.gait) {
      this.over = element("select", { id: "axis" });
      this.over.addEventListener("change", () => this.open(true));
      bar.append(labelled("Over", this.over));
    }
    const add = (id, text, isThere, act) => {
      if (isThere) {
        const made = toggle(text, false, act);
        made.id = id;
        bar.append(made);
      }
    };
    const units = this.panels.flatMap((panel) => panel.plots.map((plot) => plot.unit));
    add("per-kilogram", "Per kilogram", this.data.mass && units.some((unit) => WEIGHED.includes(unit)), (now) => {
      this.perKilogram = now;
      this.open();
    });
    add("both-sides", "Left and right", this.panels.some((panel) => panel.opposite >= 0), (now) => {
      this.bothSides = now;
      this.open();
    });
    return bar.childElementCount ? [bar] : [];
  }

  get panel() {
    return this.panels[Number(this.choice.value)];
  }

  // Time, or the gait cycle that is chosen; the foot is that of the panel's side.
  axisOf(panel) {
    const number = this.over ? this.over.value : "";
    if (!this.data.gait || !number) {
      return new TimeAxis(this.times);
    }
    const { side, cycles } = cyclesOf(this.data.gait, panel.side);
    return new CycleAxis(number === "mean" ? cycles : [cycles[Math.min(Number(number), cycles.length - 1)]], side);
  }

  listCycles() {
    const { cycles } = cyclesOf(this.data.gait, this.panel.side);
    const list = cycles.map(([a, b], k) => [String(k), `gait cycle ${k + 1}: ${a.toFixed(2)} to ${b.toFixed(2)} s`]);
    const [before, last] = [this.over.value, cycles.length - 1];
    const mean = last ? [["mean", `mean of ${cycles.length} gait cycles`]] : [];
    this.over.replaceChildren(...options([["", "time"], ...mean, ...list]));
    this.over.value = before === "mean" && last ? before : before && String(Math.min(Number(before) || 0, last));
  }

  // A plot's times and curves as the page holds them.
  raw(plot) {
    return {
      times: plot.times ? Array.from(this.unpack(plot.times)) : this.times,
      series: plot.series.map((one) => ({ ...one, values: this.unpack(one.values) })),
      band: plot.band && plot.band.map(this.unpack),
    };
  }

  // What a chart draws of a plot: over the axis, per kilogram, with the other side's curves.
  drawn(plot, other) {
    const { times, series, band } = this.raw(plot);
    const beside = other && !plot.stacked ? this.raw(other) : null;
    const opposite = other && this.axisOf(this.panels[this.panel.opposite]);
    const x = this.axis.grid(beside ? [times, beside.times] : [times]);
    const weighed = this.perKilogram && WEIGHED.includes(plot.unit);
    const scale = weighed ? 1 / this.data.mass : 1;
    const both = (axis, ownTimes, values) =>
      axis.values(ownTimes, values, x).map((row) => (scale === 1 ? row : row.map((value) => scale * value)));
    const on = (...given) => both(...given)[0];
    const lines = series.map((one) => ({ ...one, values: on(this.axis, times, one.values) }));
    const label = beside && SIDES[this.panels[this.panel.opposite].side];
    const others = (beside ? beside.series : []).map((one) => ({
      ...one, opposite: true, label: `${one.label}, ${label}`, values: on(opposite, beside.times, one.values),
    }));
    const offs = this.over?.value ? cyclesOf(this.data.gait, this.panel.side).offs : [];
    const marks = offs.map((time) => this.axis.toX(time)).filter((place) => place > 0 && place < 100);
    const several = this.axis.cycles?.length > 1;
    const inertial = several && !band && !plot.stacked && series.find((one) => one.role === "inertial");
    const [mean, deviation] = inertial ? both(this.axis, times, inertial.values) : [];
    return {
      ...plot,
      name: this.panel.name,
      x,
      unit: weighed ? `${plot.unit}/kg` : plot.unit,
      series: [...lines, ...others],
      bandLabel: inertial ? "\u00b1 1 SD between cycles" : plot.bandLabel,
      band: inertial ? [-1, 1].map((sign) => Array.from(mean, (value, i) => value + sign * deviation[i]))
        : band && band.map((end) => on(this.axis, times, end)),
      gaps: several ? [] : this.data.gaps.map((gap) => gap.map((time) => this.axis.toX(time))),
      marks: several && marks.length ? [marks.reduce((sum, mark) => sum + mark) / marks.length] : marks,
    };
  }

  // Draws the panel that is chosen; what was zoomed stays so unless the axis is another one.
  open(another = false) {
    if (this.data.gait) {
      this.listCycles();
    }
    this.axis = this.axisOf(this.panel);
    const range = another ? null : this.charts[0]?.chart.scales.x;
    this.charts.forEach((chart) => chart.chart.destroy());
    this.holder.replaceChildren();
    const beside = this.bothSides && this.panel.opposite >= 0 ? this.panels[this.panel.opposite].plots : [];
    if (beside.length && this.axisOf(this.panels[this.panel.opposite]).side !== this.axis.side) {
      this.axis.label = "gait cycle of each curve\u2019s own foot [%]";
    }
    const plots = this.panel.plots.map((plot) => this.drawn(plot, beside.find((other) => other.title === plot.title)));
    this.charts = plots.map((plot) => new Chart(plot, this.axis, this.timeline, (...zoomed) => this.follow(...zoomed)));
    this.charts.forEach((chart) => {
      this.holder.append(chart.root);
      chart.show();
    });
    const [first, last] = this.axis.range.map((x) => this.axis.toTime(x));
    if (another && (this.timeline.time < first || this.timeline.time > last)) {
      this.timeline.set(first);
    }
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
    const [first, last] = this.axis.range;
    const { min, max } = this.charts[0].chart.scales.x;
    const now = this.axis.toX(this.timeline.time);
    const middle = now >= min && now <= max ? now : (min + max) / 2;
    const half = Math.min(((max - min) / 2) * factor, (last - first) / 2);
    const centre = Math.min(Math.max(middle, first + half), last - half);
    this.zoom(centre - half, centre + half);
  }

  resize() {
    this.charts.forEach((chart) => chart.resize());
  }
}
