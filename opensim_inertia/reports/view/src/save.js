// A chart as files: its curves as CSV, and the chart, as it is shown, as SVG.
import { button, element } from "./dom.js";
import { colour } from "./theme.js";

const HEAD = 44; // height of title and legend [px]

export function saveButtons(chart) {
  const name = `${chart.plot.name}_${chart.plot.title}`.replace(/[^\p{L}\p{N}]+/gu, "_");
  return [["csv", csvOf, "text/csv"], ["svg", svgOf, "image/svg+xml"]].map(([ending, textOf, type]) => {
    const text = `Save ${ending.toUpperCase()}`;
    return button(text, () => {
      const href = URL.createObjectURL(new Blob([textOf(chart)], { type }));
      element("a", { href, download: `${name}.${ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(href), 10000);
    }, { className: "save", "aria-label": `${text} of ${name}` });
  });
}

function csvOf({ plot, axis }) {
  const unit = plot.unit ? ` [${plot.unit}]` : "";
  const ends = (plot.band ?? []).map((values, k) => ({ label: `${plot.bandLabel}, ${["lower", "upper"][k]}`, values }));
  const curves = [...plot.series, ...ends].map(({ label, values }) => [label + unit, values]);
  const columns = [[axis.label, plot.x], ...curves];
  const head = columns.map(([label]) => `"${label.replaceAll('"', '""')}"`);
  const cell = (value) => (Number.isFinite(value) ? Number(value.toPrecision(7)) : "");
  return [head, ...Array.from(plot.x, (_, i) => columns.map(([, values]) => cell(values[i])))].join("\r\n");
}

function part(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  made.append(...children);
  return made;
}

// Numbers of places where all rows have values, in spans without a gap.
function spans(rows) {
  const found = [[]];
  rows[0].forEach((_, i) => (rows.every((row) => row[i] !== null) ? found.at(-1).push(i) : found.push([])));
  return found.filter((span) => span.length);
}

function svgOf({ chart, plot, colours }) {
  const [left, top, width, height] = ["left", "top", "width", "height"].map((k) => chart.bbox[k] / devicePixelRatio);
  const [toX, toY] = ["x", "y"].map((key) => (value) => chart.valToPos(value, key, true) / devicePixelRatio);
  const points = (row, span) => span.map((i) => `${toX(chart.data[0][i]).toFixed(2)} ${toY(row[i]).toFixed(2)}`);
  const line = (x1, y1, x2, y2, stroke, more) => part("line", { x1, y1, x2, y2, stroke, ...more });
  const text = (x, y, anchor, said) => part("text", { x, y, "text-anchor": anchor, fill: colour("ink") }, said);
  const gaps = plot.gaps.map((ends) => ends.map(toX)).map(([x, end]) =>
    part("rect", { x, y: top, width: end - x, height, fill: colour("gap") }));
  const marks = plot.marks.map(toX).map((x) =>
    line(x, top, x, top + height, colour("soft"), { "stroke-dasharray": "4 4" }));
  const bands = chart.bands.flatMap(({ series, fill }) => {
    const [high, low] = series.map((k) => chart.data[k]);
    const [, rgb, alpha] = fill(chart).match(/\((.*),(.*)\)/);
    const outline = (span) => `M${[...points(high, span), ...points(low, span).reverse()].join("L")}Z`;
    const look = { fill: `rgb(${rgb})`, "fill-opacity": alpha };
    return spans([high, low]).map((span) => part("path", { ...look, d: outline(span) }));
  });
  const curves = chart.series.slice(1).flatMap(({ stroke, width: thick, dash = [] }, k) => {
    const [row, dashes] = [chart.data[k + 1], { "stroke-dasharray": dash.join(" "), "stroke-width": thick }];
    return (thick ? spans([row]) : []).map((span) =>
      part("path", { d: `M${points(row, span).join("L")}`, stroke: stroke(chart), fill: "none", ...dashes }));
  });
  const [along, up] = chart.axes;
  const ticks = along._splits.map((x, k) => text(toX(x), top + height + 16, "middle", along._values[k]));
  ticks.push(...up._splits.flatMap((y, k) => [
    text(left - 8, toY(y) + 4, "end", up._values[k]), line(left, toY(y), left + width, toY(y), colour("grid")),
  ]));
  const names = [...plot.series.map((one, k) => [colours[k], one.label]), ["band", plot.band && plot.bandLabel]];
  const legend = names.filter(([, label]) => label).flatMap(([name, label], k) => {
    const x = left + (k * width) / names.length;
    return [line(x, -10, x + 18, -10, colour(name), { "stroke-width": 4 }), text(x + 24, -6, "start", label)];
  });
  const title = text(left, -26, "start", `${plot.name}: ${plot.title}${plot.unit ? ` [${plot.unit}]` : ""}`);
  const box = { width: chart.width, height: chart.height + HEAD };
  const drawn = part("svg", { x: left, y: top, width, height, viewBox: [left, top, width, height].join(" ") },
    ...gaps, ...marks, ...bands, ...curves);
  const font = { "font-family": "sans-serif", "font-size": 12 };
  const whole = part("svg", { ...box, ...font, viewBox: `0 ${-HEAD} ${box.width} ${box.height}` });
  whole.append(part("rect", { y: -HEAD, ...box, fill: colour("paper") }), title, ...legend, ...ticks, drawn);
  whole.append(text(left + width / 2, chart.height - 4, "middle", along.label));
  return new XMLSerializer().serializeToString(whole);
}
