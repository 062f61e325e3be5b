// How far bellies that wobble are drawn beside their paths.
export class Swing {
  // modes: the number of a muscle, and the order of its mode, for each displacement.
  constructor(modes, muscles) {
    this.modes = muscles.map(() => []);
    modes.forEach(([muscle, order], k) => this.modes[muscle].push([order, k]));
    this.factor = 1;
    this.now = [];
  }

  // Moves a point, which lies at the distance s along a muscle's path, as the belly's modes do.
  move(number, muscle, s, length, fibre, point, at) {
    const start = muscle.proximal * (length - fibre);
    const c = (s - start) / (muscle.aponeurosis * (length - fibre) + fibre);
    if (!this.factor || !(c > 0 && c < 1)) {
      return;
    }
    for (const [order, k] of this.modes[number]) {
      const phi = this.factor * Math.sin(order * Math.PI * c);
      for (let axis = 0; axis < 3; axis++) {
        point[at + axis] += phi * (this.now[3 * k + axis] || 0); // not a number where a row has no answer
      }
    }
  }

  // Displacement of a muscle's belly by its first mode [m], not magnified.
  size(number) {
    const [mode] = this.modes[number];
    return mode ? Math.hypot(...this.now.slice(3 * mode[1], 3 * mode[1] + 3)) : 0;
  }
}
