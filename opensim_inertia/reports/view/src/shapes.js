// Bones and wrap surfaces, each in the frame of its body.
import {
  BufferAttribute, BufferGeometry, CylinderGeometry, DoubleSide, Group, InstancedMesh, Matrix4, Mesh,
  MeshLambertMaterial, Quaternion, SphereGeometry, TorusGeometry, Vector3,
} from "three";
import { along } from "./tubes.js";

const BONE = new MeshLambertMaterial({ color: 0xd8cdb6, side: DoubleSide });
const SURFACE = new MeshLambertMaterial({ color: 0x2a6fb0, transparent: true, opacity: 0.35, depthWrite: false });
const MARKER = 0.009; // radius [m]
const LINE = 0.008; // radius of a line between joint centres [m]

export function boneMesh(bone, unpack) {
  const points = Float32Array.from(unpack(bone.points));
  const parts = unpack(bone.parts);
  if (bone.parts.shape[1] === 3) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(points, 3));
    geometry.setIndex(new BufferAttribute(Uint32Array.from(parts), 1));
    geometry.computeVertexNormals();
    return new Mesh(geometry, BONE);
  }
  const group = new Group();
  for (let i = 0; i < parts.length; i += 2) {
    const [a, b] = [parts[i], parts[i + 1]].map((k) => new Vector3(...points.subarray(3 * k, 3 * k + 3)));
    const length = a.distanceTo(b);
    if (length > 0) {
      const rod = new Mesh(new CylinderGeometry(LINE, LINE, length, 10), BONE);
      rod.position.copy(a).add(b).multiplyScalar(0.5);
      rod.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), b.clone().sub(a).normalize()));
      group.add(rod);
    }
    const ball = new Mesh(new SphereGeometry(1.6 * LINE, 14, 10), BONE);
    ball.position.copy(a);
    group.add(ball);
  }
  return group;
}

export function surfaceMesh(surface) {
  const mesh = new Mesh(surfaceGeometry(surface), SURFACE);
  const r = surface.rotation;
  const [x, y, z] = surface.origin;
  mesh.applyMatrix4(new Matrix4().set(...r.slice(0, 3), x, ...r.slice(3, 6), y, ...r.slice(6, 9), z, 0, 0, 0, 1));
  return mesh;
}

function surfaceGeometry({ kind, size }) {
  switch (kind) {
    case "WrapCylinder":
      return new CylinderGeometry(size[0], size[0], size[1], 32).rotateX(Math.PI / 2);
    case "WrapTorus":
      return new TorusGeometry(size[0], size[1], 12, 40);
    case "WrapEllipsoid":
      return new SphereGeometry(1, 32, 20).scale(...size);
    default:
      return new SphereGeometry(size[0], 32, 20);
  }
}

// As many balls as there are markers, of one size.
export function markerMesh(count) {
  const material = new MeshLambertMaterial({ color: 0x00a0ff });
  const mesh = new InstancedMesh(new SphereGeometry(MARKER, 12, 8), material, count);
  mesh.frustumCulled = false;
  return mesh;
}

// Places them; those without a place are not drawn.
export function placeMarkers(mesh, places) {
  const matrix = new Matrix4();
  for (let i = 0; i < mesh.count; i++) {
    const place = Array.from(places.subarray(3 * i, 3 * i + 3));
    const isThere = place.every(Number.isFinite);
    matrix.makeScale(isThere, isThere, isThere).setPosition(...(isThere ? place : [0, 0, 0]));
    mesh.setMatrixAt(i, matrix);
  }
  mesh.instanceMatrix.needsUpdate = true;
}

export function massPointMesh(muscles, density) {
  const masses = muscles.flatMap((muscle) => muscle.points.map((point) => point[2]));
  const ball = new SphereGeometry(1, 10, 8);
  const mesh = new InstancedMesh(ball, new MeshLambertMaterial({ color: 0x1b1b1b }), masses.length);
  mesh.frustumCulled = false;
  // Half as wide as balls of their mass, which would hide each other.
  mesh.userData.radii = masses.map((mass) => 0.5 * Math.cbrt((3 * mass) / (4 * Math.PI * density)));
  return mesh;
}

export function placeMassPoints(mesh, muscles, paths, lengths, swing) {
  const matrix = new Matrix4();
  const place = [0, 0, 0];
  let offset = 0;
  let instance = 0;
  muscles.forEach((muscle, i) => {
    const [length, fibre] = [lengths[2 * i], lengths[2 * i + 1]];
    for (const [chi, xi] of muscle.points) {
      const s = (muscle.proximal + chi * muscle.aponeurosis) * (length - fibre) + xi * fibre;
      along(paths, offset, muscle.shares, s / length, place, 0);
      swing?.move(i, muscle, s, length, fibre, place, 0);
      const radius = mesh.userData.radii[instance];
      matrix.makeScale(radius, radius, radius).setPosition(...place);
      mesh.setMatrixAt(instance++, matrix);
    }
    offset += muscle.shares.length;
  });
  mesh.instanceMatrix.needsUpdate = true;
}
