// Muscles as tubes around their paths, as thick as a round belly of their mass is.
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh, MeshLambertMaterial } from "three";

const SIDES = 8;
const THIN = 0.0014; // radius of tendons, which have no mass here [m]
const IN_BELLY = 11; // rings in a belly, besides those at the path's own points

export function radiusAt(s, muscle, length, fibre, density) {
  if (!muscle.belly) {
    return THIN;
  }
  const start = muscle.proximal * (length - fibre);
  const aponeurosis = muscle.aponeurosis * (length - fibre);
  const [shorter, longer] = aponeurosis < fibre ? [aponeurosis, fibre] : [fibre, aponeurosis];
  const into = s - start;
  const left = start + longer + shorter - s;
  if (into < 0 || left < 0) {
    return THIN;
  }
  const share = shorter > 0 ? Math.min(into / shorter, left / shorter, 1) : 1;
  return Math.max(THIN, Math.sqrt(((muscle.mass / longer) * share) / (density * Math.PI)));
}

export function along(points, offset, shares, share, out, at) {
  let k = 1;
  while (k < shares.length - 1 && shares[k] < share) {
    k++;
  }
  const span = shares[k] - shares[k - 1];
  const t = span > 0 ? Math.min(Math.max((share - shares[k - 1]) / span, 0), 1) : 0;
  const a = 3 * (offset + k - 1);
  for (let axis = 0; axis < 3; axis++) {
    out[at + axis] = (1 - t) * points[a + axis] + t * points[a + 3 + axis];
  }
}

export class Tubes {
  // swing: of bellies, or nothing
  constructor(muscles, density, swing) {
    this.muscles = muscles;
    this.swing = swing;
    this.density = density;
    this.rings = muscles.map((muscle) => muscle.shares.length + (muscle.belly ? IN_BELLY : 0));
    const total = this.rings.reduce((sum, n) => sum + n, 0);
    this.positions = new Float32Array(total * SIDES * 3);
    this.normals = new Float32Array(total * SIDES * 3);
    this.colours = new Float32Array(total * SIDES * 3);
    const indices = [];
    this.owner = [];
    let first = 0;
    this.rings.forEach((count, number) => {
      for (let ring = 0; ring < count - 1; ring++) {
        for (let side = 0; side < SIDES; side++) {
          const a = first + ring * SIDES + side;
          const b = first + ring * SIDES + ((side + 1) % SIDES);
          indices.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
          this.owner.push(number, number);
        }
      }
      first += count * SIDES;
    });
    this.geometry = new BufferGeometry();
    this.geometry.setIndex(indices);
    this.geometry.setAttribute("position", new BufferAttribute(this.positions, 3));
    this.geometry.setAttribute("normal", new BufferAttribute(this.normals, 3));
    this.geometry.setAttribute("color", new BufferAttribute(this.colours, 3));
    this.mesh = new Mesh(this.geometry, new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }));
    this.mesh.frustumCulled = false;
    this.centres = new Float32Array(3 * Math.max(0, ...this.rings));
  }

  paint(colours) {
    let vertex = 0;
    this.rings.forEach((count, number) => {
      for (let i = 0; i < count * SIDES; i++) {
        this.colours.set(colours[number], 3 * vertex++);
      }
    });
    this.geometry.attributes.color.needsUpdate = true;
  }

  place(points, lengths) {
    let offset = 0;
    let vertex = 0;
    this.muscles.forEach((muscle, number) => {
      const [length, fibre] = [lengths[2 * number], lengths[2 * number + 1]];
      const shares = this.ringShares(muscle, length, fibre);
      shares.forEach((share, ring) => {
        along(points, offset, muscle.shares, share, this.centres, 3 * ring);
        this.swing?.move(number, muscle, share * length, length, fibre, this.centres, 3 * ring);
      });
      vertex = this.sweep(shares, muscle, length, fibre, vertex);
      offset += muscle.shares.length;
    });
    this.geometry.attributes.position.needsUpdate = true;
    this.geometry.attributes.normal.needsUpdate = true;
  }

  ringShares(muscle, length, fibre) {
    if (!muscle.belly) {
      return muscle.shares;
    }
    const start = (muscle.proximal * (length - fibre)) / length;
    const size = (muscle.aponeurosis * (length - fibre) + fibre) / length;
    const inside = Array.from({ length: IN_BELLY }, (_, i) => start + (size * i) / (IN_BELLY - 1));
    return [...muscle.shares, ...inside.map((share) => Math.min(Math.max(share, 0), 1))].sort((a, b) => a - b);
  }

  sweep(shares, muscle, length, fibre, firstVertex) {
    const c = this.centres;
    const last = shares.length - 1;
    let tangent = [0, 1, 0];
    let normal = null;
    let vertex = firstVertex;
    for (let ring = 0; ring <= last; ring++) {
      const a = 3 * Math.max(ring - 1, 0);
      const b = 3 * Math.min(ring + 1, last);
      const d = [c[b] - c[a], c[b + 1] - c[a + 1], c[b + 2] - c[a + 2]];
      const size = Math.hypot(...d);
      tangent = size > 1e-9 ? d.map((x) => x / size) : tangent;
      normal = perpendicular(tangent, normal);
      const binormal = cross(tangent, normal);
      const radius = radiusAt(shares[ring] * length, muscle, length, fibre, this.density);
      for (let side = 0; side < SIDES; side++) {
        const angle = (2 * Math.PI * side) / SIDES;
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        for (let axis = 0; axis < 3; axis++) {
          const n = cos * normal[axis] + sin * binormal[axis];
          this.normals[3 * vertex + axis] = n;
          this.positions[3 * vertex + axis] = c[3 * ring + axis] + radius * n;
        }
        vertex++;
      }
    }
    return vertex;
  }
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

// The part of a vector at right angles to a unit tangent, of unit length.
function perpendicular(tangent, near) {
  const tried = near ?? (Math.abs(tangent[0]) < 0.8 ? [1, 0, 0] : [0, 0, 1]);
  const dot = tried[0] * tangent[0] + tried[1] * tangent[1] + tried[2] * tangent[2];
  const left = tried.map((x, i) => x - dot * tangent[i]);
  const size = Math.hypot(...left);
  return size > 1e-6 ? left.map((x) => x / size) : perpendicular(tangent, near ? null : [0, 1, 0]);
}
