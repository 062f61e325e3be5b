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
}

export class CycleAxis {
  constructor([start, end], side) {
    this.start = start;
    this.span = end - start;
    this.side = side;
    this.label = `gait cycle of the ${SIDES[side]} foot [%]`;
    this.range = [0, 100];
  }

  toX(time) {
    return (100 * (time - this.start)) / this.span;
  }

  toTime(x) {
    return this.start + (x / 100) * this.span;
  }

  said(x) {
    return `${x.toFixed(1)} %`;
  }

  grid() {
    return Array.from({ length: 100 / STEP + 1 }, (_, i) => STEP * i);
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
