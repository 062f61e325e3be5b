// The view: bones, muscles, mass points and wrap surfaces at the moment that is shown.
import {
  AmbientLight, Box3, Color, DirectionalLight, GridHelper, Group, PerspectiveCamera, Quaternion, Raycaster,
  Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { key, ramp } from "./colours.js";
import { button, element, labelled, options, shown, toggle } from "./dom.js";
import { boneMesh, markerMesh, massPointMesh, placeMarkers, placeMassPoints, surfaceMesh } from "./shapes.js";
import { Swing } from "./swing.js";
import { colour, onTheme } from "./theme.js";
import { Tubes } from "./tubes.js";

const CHOSEN = new Color("#d6008f").toArray();
const UNITS = { mass: "kg", speed: "m/s", activation: "" };
const TURN = Math.PI / 24;

export class View {
  constructor(scene, times, timeline, unpack) {
    this.told = scene;
    this.canvas = document.getElementById("canvas");
    this.picked = document.getElementById("picked");
    this.times = Float64Array.from(unpack(scene.rows), (row) => times[row]);
    for (const name of ["origins", "rotations", "paths", "lengths", "speeds"]) {
      this[name] = unpack(scene[name]);
    }
    this.activations = scene.activations && unpack(scene.activations);
    this.markers = scene.markers && unpack(scene.markers);
    this.displacements = scene.swings && unpack(scene.swings.displacements);
    this.swing = scene.swings && new Swing(scene.swings.modes, scene.muscles);
    this.up = new Vector3(...scene.up);
    this.time = this.times[0];
    this.chosen = -1;
    this.colour = this.activations ? "activation" : "mass";
    this.most = {
      mass: Math.max(0, ...scene.muscles.map((muscle) => muscle.mass)),
      speed: this.speeds.reduce((most, speed) => Math.max(most, speed), 0),
      activation: 1,
    };
    this.build(unpack);
    this.controlPanel();
    this.watch();
    timeline.listen((time) => this.setTime(time));
    onTheme(() => this.repaint());
  }

  build(unpack) {
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.scene = new Scene();
    const light = new DirectionalLight(0xffffff, 2.2);
    this.scene.add(new AmbientLight(0xffffff, 1.3), light);
    this.light = light;
    this.bodies = this.told.bodies.map(() => {
      const group = new Group();
      group.matrixAutoUpdate = false;
      this.scene.add(group);
      return group;
    });
    this.layers = { bones: [], muscles: [], points: [], surfaces: [], markers: [] };
    for (const bone of this.told.bones) {
      const mesh = boneMesh(bone, unpack);
      this.bodies[bone.body].add(mesh);
      this.layers.bones.push(mesh);
    }
    for (const surface of this.told.surfaces) {
      const mesh = surfaceMesh(surface);
      this.bodies[surface.body].add(mesh);
      this.layers.surfaces.push(mesh);
    }
    this.tubes = new Tubes(this.told.muscles, this.told.density, this.swing);
    this.points = massPointMesh(this.told.muscles, this.told.density);
    this.layers.muscles.push(this.tubes.mesh);
    this.layers.points.push(this.points);
    this.scene.add(this.tubes.mesh, this.points);
    if (this.markers) {
      this.markerBalls = markerMesh(this.told.markerNames.length);
      this.layers.markers.push(this.markerBalls);
      this.scene.add(this.markerBalls);
    }
    this.frameCamera();
  }

  // The box around what is shown: of some frames, as they are seen where the camera follows.
  extent() {
    const box = new Box3();
    const tried = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => this.times[Math.round((k / 7) * (this.times.length - 1))]);
    const middles = tried.map((time) => {
      this.time = time;
      this.place();
      return this.centre();
    });
    const own = this.around(new Vector3());
    const moved = Math.max(...middles.map((middle) => middle.distanceTo(middles[0])));
    this.follows = moved > 0.5 * own.getSize(new Vector3()).length();
    tried.forEach((time, k) => {
      this.time = time;
      this.place();
      box.union(this.around(this.follows ? middles[0].clone().sub(middles[k]) : new Vector3()));
    });
    this.time = tried[0];
    this.place();
    return box;
  }

  around(shift) {
    const box = new Box3();
    this.bodies.forEach((body) => {
      body.updateMatrixWorld(true);
      const bones = body.children.filter((mesh) => this.layers.bones.includes(mesh));
      bones.forEach((mesh) => box.expandByObject(mesh));
    });
    for (let i = 0; i < this.tubes.positions.length; i += 3) {
      box.expandByPoint(new Vector3().fromArray(this.tubes.positions, i));
    }
    if (box.isEmpty()) {
      box.expandByPoint(new Vector3()).expandByScalar(0.5);
    }
    return box.translate(shift);
  }

  frameCamera() {
    const box = this.extent();
    const size = box.getSize(new Vector3()).length();
    const centre = box.getCenter(new Vector3());
    this.camera = new PerspectiveCamera(32, 1, size / 200, size * 40);
    this.camera.up.copy(this.up);
    const forward = Math.abs(this.up.x) > 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
    const side = new Vector3().crossVectors(forward, this.up).normalize();
    const from = side.multiplyScalar(1.5).addScaledVector(forward, 0.6).addScaledVector(this.up, 0.2);
    this.camera.position.copy(centre).addScaledVector(from, size);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.target.copy(centre);
    this.controls.update();
    this.controls.enablePan = false;
    this.controls.enableZoom = false;
    this.canvas.style.touchAction = "pan-y";
    this.home = { position: this.camera.position.clone(), target: centre.clone() };
    this.size = size;
    const low = Math.min(...[0, 1, 2, 3, 4, 5, 6, 7].map((k) => this.corner(box, k).dot(this.up)));
    this.floor = centre.clone().addScaledVector(this.up, low - centre.dot(this.up));
    this.dress();
    this.controls.addEventListener("change", () => this.draw());
  }

  // Background and grid on the floor, in the page's colours.
  dress() {
    this.scene.background = new Color(colour("stage"));
    this.scene.remove(this.grid);
    this.grid?.dispose();
    this.grid = new GridHelper(8 * this.size, 40, new Color(colour("floor-axis")), new Color(colour("floor")));
    this.grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    this.grid.position.copy(this.floor);
    this.scene.add(this.grid);
  }

  repaint() {
    this.dress();
    this.recolour(this.colour);
  }

  corner({ min, max }, k) {
    return new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
  }

  // -- the moment ------------------------------------------------------------------------------------------------

  // Returns the values of an array at the moment, between two frames in proportion.
  now(array) {
    const width = array.length / this.times.length;
    const low = array.subarray(this.frame * width, (this.frame + 1) * width);
    if (!this.part) {
      return low;
    }
    const high = array.subarray((this.frame + 1) * width, (this.frame + 2) * width);
    return low.map((value, i) => value + this.part * (high[i] - value));
  }

  setTime(time) {
    this.time = time;
    const before = this.centre();
    this.place();
    const step = this.follows ? this.centre().sub(before) : new Vector3();
    this.camera.position.add(step);
    this.controls.target.add(step);
    this.home.position.add(step);
    this.home.target.add(step);
    this.draw();
  }

  place() {
    let frame = 0;
    while (frame < this.times.length - 2 && this.times[frame + 1] <= this.time) {
      frame++;
    }
    const span = this.times[frame + 1] - this.times[frame];
    this.frame = frame;
    this.part = span > 0 ? Math.min(Math.max((this.time - this.times[frame]) / span, 0), 1) : 0;
    const origins = this.now(this.origins);
    const r = this.now(this.rotations);
    this.bodies.forEach((body, i) => {
      const [a, o] = [9 * i, 3 * i];
      body.matrix.set(
        r[a], r[a + 1], r[a + 2], origins[o],
        r[a + 3], r[a + 4], r[a + 5], origins[o + 1],
        r[a + 6], r[a + 7], r[a + 8], origins[o + 2],
        0, 0, 0, 1,
      );
    });
    this.middleNow = [0, 1, 2].map((axis) => {
      const count = this.told.bodies.length - 1;
      let sum = 0;
      for (let i = 1; i <= count; i++) {
        sum += origins[3 * i + axis] / count;
      }
      return sum;
    });
    const paths = this.now(this.paths);
    const lengths = this.now(this.lengths);
    if (this.swing) {
      this.swing.now = this.now(this.displacements);
    }
    this.tubes.place(paths, lengths);
    if (this.markers) {
      placeMarkers(this.markerBalls, this.now(this.markers));
    }
    placeMassPoints(this.points, this.told.muscles, paths, lengths, this.swing);
    this.paint();
  }

  centre() {
    return new Vector3(...this.middleNow);
  }

  // -- colours ---------------------------------------------------------------------------------------------------

  values() {
    if (this.colour === "mass") {
      return this.told.muscles.map((muscle) => muscle.mass);
    }
    return this.now(this.colour === "speed" ? this.speeds : this.activations);
  }

  paint() {
    const values = this.values();
    const most = this.most[this.colour] || 1;
    const colours = this.told.muscles.map((_, i) => (i === this.chosen ? CHOSEN : ramp(this.colour, values[i] / most)));
    this.tubes.paint(colours);
    this.tell();
  }

  tell() {
    const muscle = this.told.muscles[this.chosen];
    if (!muscle) {
      this.picked.textContent = "";
      return;
    }
    const parts = [`${shown(muscle.mass)} kg in ${muscle.donor}`];
    parts.push(`mass moves at ${shown(this.now(this.speeds)[this.chosen])} m/s`);
    if (this.activations) {
      parts.push(`activation ${shown(this.now(this.activations)[this.chosen])}`);
    }
    if (this.swing) {
      parts.push(`wobbles ${shown(1000 * this.swing.size(this.chosen))} mm off its path`);
    }
    this.picked.textContent = `${muscle.name}: ${parts.join(", ")}`;
  }

  // -- controls --------------------------------------------------------------------------------------------------

  controlPanel() {
    const place = document.getElementById("layers");
    const colours = [["mass", "mass"], ["speed", "speed of its mass"]];
    colours.push(["activation", this.activations ? "activation" : "activation (unknown here)", !this.activations]);
    const by = element("select", { id: "colour" }, ...options(colours));
    by.value = this.colour;
    by.addEventListener("change", () => this.recolour(by.value));
    const names = this.told.muscles.map((muscle, i) => [String(i), muscle.name]);
    this.choice = element("select", { id: "muscle" }, ...options([["-1", "none"], ...names]));
    this.choice.addEventListener("change", () => this.choose(Number(this.choice.value)));
    this.bar = element("span", { className: "ramp" });
    this.low = element("span", {});
    this.high = element("span", {});
    const has = this.told.muscles.some((muscle) => !muscle.belly);
    const layers = [
      ["Bones", "bones", true],
      ["Muscles", "muscles", true],
      ["Mass points", "points", has],
      ["Wrap surfaces", "surfaces", false],
      ["Markers", "markers", true],
    ].filter(([, name]) => this.layers[name].length);
    const buttons = layers.map(([text, name, on]) => {
      this.showLayer(name, on);
      return toggle(text, on, (now) => this.showLayer(name, now));
    });
    const moves = [
      button("Closer", () => this.zoom(0.8)),
      button("Farther", () => this.zoom(1.25)),
      button("Turn", () => this.turn(6 * TURN, 0)),
      button("Reset view", () => this.reset()),
    ];
    place.append(
      element("div", { className: "bar" }, labelled("Colour by", by), this.low, this.bar, this.high),
      element("div", { className: "bar", role: "group", "aria-label": "Layers" }, ...buttons, ...this.magnifier()),
      element("div", { className: "bar" }, labelled("Muscle", this.choice), ...moves),
    );
    this.recolour(this.colour);
  }

  // What chooses how far bellies are drawn off their paths; nothing where none swings.
  magnifier() {
    if (!this.swing) {
      return [];
    }
    const choices = [["0", "not shown"], ["1", "as it is"], ["5", "5 times"], ["20", "20 times"]];
    const by = element("select", { id: "swing" }, ...options(choices));
    by.value = String(this.swing.factor);
    by.addEventListener("change", () => {
      this.swing.factor = Number(by.value);
      this.place();
      this.draw();
    });
    return [labelled("Wobble of bellies", by)];
  }

  recolour(kind) {
    this.colour = kind;
    const told = key(kind, this.most[kind], UNITS[kind]);
    this.bar.style.background = told.background;
    this.low.textContent = told.low;
    this.high.textContent = told.high;
    this.paint();
    this.draw();
  }

  showLayer(name, on) {
    this.layers[name].forEach((mesh) => (mesh.visible = on));
    this.draw();
  }

  choose(number) {
    this.chosen = number;
    this.choice.value = String(number);
    this.paint();
    this.draw();
  }

  turn(about, over) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const right = new Vector3().crossVectors(this.up, offset).normalize();
    offset.applyQuaternion(new Quaternion().setFromAxisAngle(this.up, about));
    const tilted = offset.clone().applyQuaternion(new Quaternion().setFromAxisAngle(right, over));
    const steep = Math.abs(tilted.clone().normalize().dot(this.up)) > 0.98;
    this.camera.position.copy(this.controls.target).add(steep ? offset : tilted);
    this.controls.update();
    this.draw();
  }

  zoom(factor) {
    const offset = this.camera.position.clone().sub(this.controls.target).multiplyScalar(factor);
    offset.clampLength(0.1 * this.size, 12 * this.size);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.draw();
  }

  reset() {
    this.camera.position.copy(this.home.position);
    this.controls.target.copy(this.home.target);
    this.controls.update();
    this.draw();
  }

  watch() {
    const keys = {
      ArrowLeft: () => this.turn(-TURN, 0),
      ArrowRight: () => this.turn(TURN, 0),
      ArrowUp: () => this.turn(0, -TURN),
      ArrowDown: () => this.turn(0, TURN),
      "+": () => this.zoom(0.9),
      "-": () => this.zoom(1.1),
      Home: () => this.reset(),
    };
    this.canvas.addEventListener("keydown", (event) => {
      if (keys[event.key]) {
        event.preventDefault();
        keys[event.key]();
      }
    });
    this.canvas.addEventListener("wheel", (event) => {
      if (event.ctrlKey || document.activeElement === this.canvas) {
        event.preventDefault();
        this.zoom(event.deltaY > 0 ? 1.1 : 0.9);
      }
    }, { passive: false });
    let pressed = [0, 0];
    this.canvas.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
    this.canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 4) {
        this.pick(event);
      }
    });
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
    this.resize();
  }

  pick(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (event.clientY - box.top)) / box.height;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), this.camera);
    this.tubes.geometry.computeBoundingSphere();
    const [hit] = ray.intersectObject(this.tubes.mesh);
    this.choose(hit ? this.tubes.owner[hit.faceIndex] : -1);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // What fits the height of a wide picture must fit the width of a narrow one.
    this.camera.zoom = Math.min(1, width / height);
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() {
    if (!this.camera) {
      return;
    }
    this.light.position.copy(this.camera.position).addScaledVector(this.up, 0.7 * this.size);
    this.light.target.position.copy(this.controls.target);
    this.light.target.updateMatrixWorld();
    this.renderer.render(this.scene, this.camera);
  }
}
