// What curves are drawn over: time, or the share of a gait cycle; and their values there.

const SIDES = { r: "right", l: "left" };
const STEP = 0.5; // of curves over a gait cycle [%]

export class TimeAxis {
  constructor(times) {
    this.label = "time [s]";
    this.range = [times[0], times[times.length - 1]];
  }

  toX(time) {
    return time;
  }

  toTime(x) {
    return x;
  }

  said(x) {
    return `${x.toFixed(3)} s`.replace("-", "\u2212");
  }

  // Where all curves of a plot have values: at the times of all of them.
  grid(manyTimes) {
    const [first, ...others] = manyTimes;
    if (others.every((times) => times === first)) {
      return first;
    }
    return [...new Set(manyTimes.flat())].sort((a, b) => a - b);
  }

  values(times, values, x) {
    return [x === times ? values : valuesAt(times, values, x)];
  }
}

// The cycles of a foot, one or several on top of each other.
export class CycleAxis {
  constructor(cycles, side) {
    this.cycles = cycles;
    this.side = side;
    this.label = `gait cycle of the ${SIDES[side]} foot [%]`;
    this.range = [0, 100];
  }

  toX(time) {
    const [start, end] = this.cycles.find((ends) => time >= ends[0] && time <= ends[1]) ?? this.cycles[0];
    return (100 * (time - start)) / (end - start);
  }

  toTime(x, [start, end] = this.cycles[0]) {
    return start + (x / 100) * (end - start);
  }

  said(x) {
    return `${x.toFixed(1)} %`;
  }

  grid() {
    return Array.from({ length: 100 / STEP + 1 }, (_, i) => STEP * i);
  }

  // Means over the cycles that have a value, and standard deviations between them.
  values(times, values, x) {
    const all = this.cycles.map((cycle) => valuesAt(times, values, x.map((each) => this.toTime(each, cycle))));
    const known = x.map((_, i) => all.map((one) => one[i]).filter(Number.isFinite));
    const means = known.map((some) => some.reduce((sum, value) => sum + value, 0) / some.length);
    const squares = known.map((some, i) => some.reduce((sum, value) => sum + (value - means[i]) ** 2, 0));
    return [means, squares.map((sum, i) => Math.sqrt(sum / (known[i].length - 1)))];
  }
}

// Values at increasing times, between two of their own in proportion, NaN beyond them.
export function valuesAt(times, values, wanted) {
  let k = 1;
  return wanted.map((time) => {
    if (times.length === 1 || time < times[0] || time > times[times.length - 1]) {
      return time === times[0] ? values[0] : NaN;
    }
    while (k < times.length - 1 && times[k] < time) {
      k++;
    }
    const share = (time - times[k - 1]) / (times[k] - times[k - 1]);
    if (share === 0 || share === 1) {
      return values[k - 1 + share];
    }
    return (1 - share) * values[k - 1] + share * values[k];
  });
}

export function nearestRow(places, x) {
  let low = 0;
  let high = places.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    [low, high] = places[middle] <= x ? [middle, high] : [low, middle];
  }
  return x - places[low] <= places[high] - x ? low : high;
}

// The gait cycles of a side, or of the other one where it has none.
export function cyclesOf(gait, side) {
  const own = gait.cycles[side] ? side : Object.keys(gait.cycles).sort().pop();
  return { side: own, cycles: gait.cycles[own], offs: gait.offs[own] };
}
