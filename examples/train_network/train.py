"""Train the network of Wang et al. 2022, section 3.3, on OpenSim's paths over cylinders, and measure its errors.

As in equation 19, origin, insertion, fraction of the path's length and radius give a point of the path, all in the
cylinder's frame [m]. Six tanh layers of 256 are fitted by Adam with a rate of 1e-4 to about 30 000 points. Samples are
thrown away whose path lies on the cylinder for less than 1 % of its length, but not 0: there the path has its kink. The
paper trained for 12 hours. It does not tell its batches, or how it draws and scales its samples.

Errors are those on spans that the network has not seen, against the exact geodesic and its Jacobian. The package ships
another network, which takes out the symmetries of cylinders, for ``wrapping="neural"``.

    python examples/train_network/train.py results/train_network --steps 11000

needs PyTorch, takes some minutes, and writes errors.csv, errors.png and network.pt (for ``torch.load``).
"""

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import torch
from matplotlib.figure import Figure

# Ranges from which spans are drawn uniformly: radius, and chord in the plane across the axis [m]; share of the chord
# before the foot of the axis, distance of the axis [radii]; direction of the chord [rad], heights of both ends [m].
ENDS = (-0.03, 0.03)
RANGES = ((0.01, 0.04), (0.2, 0.5), (0.1, 0.9), (-0.5, 1.5), (-np.pi / 4, np.pi / 4), ENDS, ENDS)
GAP = 0.1  # least distance of the ends from the cylinder [radii]
DRAWN, RADII, UNSEEN = 40_000, 100, 5_000  # samples, of which 30 000 are kept; their radii; spans of the errors
LEAST_SHARE = 0.01  # on the cylinder, of a path's length
RATE, BATCH = 1e-4, 512
NEAR = 0.2  # |1 - distance| of spans "near touch" [radii]
LOOKS = 20  # at the errors while it trains


def draw_spans(count, rng, radius=None):
    """Draw spans (count, 9): origin, insertion, fraction, radius [m], and signed distance of the axis [radii].

    Paths go counterclockwise about z, roughly along x, on the side -y of the cylinder.
    """
    r, chord, foot, d, angle, *heights = rng.uniform(*np.array(RANGES).T[:, None], (4 * count, len(RANGES))).T
    if radius is not None:
        r = np.full(len(r), radius)
    clear = np.hypot(chord * np.minimum(foot, 1 - foot), d * r) > (1 + GAP) * r
    along = np.stack([np.cos(angle), np.sin(angle), 0 * r], axis=1)
    outward = np.stack([along[:, 1], -along[:, 0], 0 * r], axis=1)
    origin = (d * r)[:, None] * outward - (foot * chord)[:, None] * along
    insertion = origin + chord[:, None] * along
    origin[:, 2], insertion[:, 2] = heights
    return np.column_stack([origin, insertion, rng.random(len(r)), r, d])[clear][:count]


def tangent_points(origin, insertion, r):
    """Return where geodesics touch cylinders about z, two tensors (n, 3) [m]."""
    points, reach = (origin, insertion), []
    for point, sense in zip(points, (1, -1), strict=True):
        distance = torch.linalg.vector_norm(point[:, :2], dim=1)
        angle = torch.atan2(point[:, 1], point[:, 0]) + sense * torch.acos(r / distance)
        reach.append((angle, torch.sqrt(distance**2 - r**2)))
    (departure, lead), (arrival, tail) = reach
    length = lead + r * torch.remainder(arrival - departure, 2 * torch.pi) + tail  # in the plane
    slope = (insertion[:, 2] - origin[:, 2]) / length
    heights = origin[:, 2] + slope * lead, insertion[:, 2] - slope * tail
    return tuple(
        torch.stack([r * torch.cos(angle), r * torch.sin(angle), z], dim=1)
        for (angle, _), z in zip(reach, heights, strict=True)
    )


def points_on_path(origin, insertion, first, last, fraction, r):
    """Return points (n, 3) of paths through tangent points, and shares of the paths on the cylinder (n,)."""
    start = torch.atan2(first[:, 1], first[:, 0])
    turn = torch.remainder(torch.atan2(last[:, 1], last[:, 0]) - start, 2 * torch.pi)
    rise = last[:, 2] - first[:, 2]
    lead, tail = (torch.linalg.vector_norm(a - b, dim=1) for a, b in ((first, origin), (insertion, last)))
    arc = torch.hypot(r * turn, rise)
    length = lead + arc + tail
    before, on, after = fraction * length / lead, fraction * length - lead, (1 - fraction) * length / tail
    share = (on / arc).clamp(0, 1)
    angle = start + share * turn
    helix = torch.stack([r * torch.cos(angle), r * torch.sin(angle), first[:, 2] + share * rise], dim=1)
    x = torch.where((before < 1)[:, None], origin + before[:, None] * (first - origin), helix)
    return torch.where((after < 1)[:, None], insertion + after[:, None] * (last - insertion), x), arc / length


def geodesic(spans):
    """Return the points (n, 3) of exact paths [m]."""
    origin, insertion, fraction, r = spans[:, :3], spans[:, 3:6], spans[:, 6], spans[:, 7]
    x, _ = points_on_path(origin, insertion, *tangent_points(origin, insertion, r), fraction, r)
    straight = origin + fraction[:, None] * (insertion - origin)
    return torch.where((spans[:, 8] < 1)[:, None], x, straight)


def free_path(radius):
    """Build a model in which a path between two free bodies is held on the side -y of a cylinder about z."""
    model = osim.Model()
    wrap = osim.WrapCylinder()
    wrap.setName("wrap")
    wrap.set_radius(radius)
    wrap.set_length(10.0)
    wrap.set_quadrant("-y")
    wrap.thisown = False  # ground takes it
    model.updGround().addWrapObject(wrap)
    actuator = osim.PathActuator()
    actuator.setName("path")
    for name in ("origin", "insertion"):
        body = osim.Body(name, 1.0, osim.Vec3(0), osim.Inertia(1, 1, 1))
        model.addBody(body)
        model.addJoint(osim.FreeJoint(f"{name}_joint", model.getGround(), body))
        actuator.addNewPathPoint(name, body, osim.Vec3(0))
    model.addForce(actuator)
    model.finalizeConnections()
    path = osim.GeometryPath.safeDownCast(actuator.getPath())
    path.addPathWrap(wrap)
    model.finalizeConnections()
    return model, path


def opensims_points(spans):
    """Return points (n, 3) of OpenSim's own paths over one cylinder [m], and shares of the paths on it (n,)."""
    model, path = free_path(spans[0, 7])
    state = model.initSystem()
    coordinates = [model.getCoordinateSet().get(k) for k in (3, 4, 5, 9, 10, 11)]  # behind each joint's rotations
    x, shares = spans[:, :3] + spans[:, 6:7] * (spans[:, 3:6] - spans[:, :3]), np.zeros(len(spans))
    tangents = np.full((len(spans), 2, 3), np.nan)
    for row, span in enumerate(spans):
        for coordinate, value in zip(coordinates, span[:6], strict=True):
            coordinate.setValue(state, value, False)
        model.realizePosition(state)
        points = path.getCurrentPath(state)
        if points.getSize() == 4:
            tangents[row] = [points.get(i).getLocation(state).to_numpy() for i in (1, 2)]
    bent = np.isfinite(tangents[:, 0, 0])
    origin, insertion, first, last = map(
        torch.from_numpy, (spans[bent, :3], spans[bent, 3:6], tangents[bent, 0], tangents[bent, 1])
    )
    fraction, r = torch.from_numpy(spans[bent, 6:8]).T
    on_path, share = points_on_path(origin, insertion, first, last, fraction, r)
    x[bent], shares[bent] = on_path.numpy(), share.numpy()
    return x, shares


def training_samples(count, rng):
    """Draw spans (n, 9) over cylinders of many radii, and points of OpenSim's paths (n, 3), as section 3.3.1 says."""
    spans, points = [], []
    for radius in rng.uniform(*RANGES[0], RADII):
        drawn = draw_spans(count // RADII, rng, radius)
        x, share = opensims_points(drawn)
        kept = (share == 0) | (share >= LEAST_SHARE)
        spans.append(drawn[kept])
        points.append(x[kept])
    return np.concatenate(spans), np.concatenate(points)


class PathNetwork(torch.nn.Module):
    """The network of equation 19, in numbers of mean 0 and deviation 1."""

    def __init__(self, inputs, points):
        super().__init__()
        widths = [8] + 6 * [256]
        layers = [torch.nn.Sequential(torch.nn.Linear(*pair), torch.nn.Tanh()) for pair in pairwise(widths)]
        self.layers = torch.nn.Sequential(*layers, torch.nn.Linear(256, 3))
        self.register_buffer("mean", inputs.mean(0))
        self.register_buffer("deviation", inputs.std(0))
        self.register_buffer("size", points.std())

    def forward(self, spans):
        return self.size * self.layers((spans[:, :8] - self.mean) / self.deviation)


def train(steps, spans, points, look=lambda step, network: None, seed=0):
    """Return the network after some steps; ``look(step, network)`` is called now and then."""
    torch.manual_seed(seed)
    spans, points = (torch.from_numpy(x).float() for x in (spans, points))
    network = PathNetwork(spans[:, :8], points)
    adam = torch.optim.Adam(network.parameters(), lr=RATE)
    for step in range(1, steps + 1):
        batch = torch.randint(len(spans), (BATCH,))
        loss = ((network(spans[batch]) - points[batch]) / network.size).square().sum(1).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        if step % max(1, steps // LOOKS) == 0:
            look(step, network)
    return network


def jacobian(path, spans):
    """Return the derivatives of x and y of a path's points by x and y of both ends, (n, 2, 4)."""
    spans = spans.clone().requires_grad_()
    x = path(spans)
    rows = [torch.autograd.grad(x[:, k].sum(), spans, retain_graph=True)[0][:, [0, 1, 3, 4]] for k in (0, 1)]
    return torch.stack(rows, dim=1)


def error_table(network, spans):
    """Return mean, 95 % quantile and largest error of the network's places and Jacobians on spans (n, 9)."""
    exact = torch.from_numpy(spans)
    near = np.abs(1 - spans[:, 8]) < NEAR
    with torch.no_grad():
        place = 1e3 * torch.linalg.vector_norm(network(exact.float()) - geodesic(exact), dim=1).numpy()
    slopes = np.abs((jacobian(network, exact.float()) - jacobian(geodesic, exact)).numpy())
    rows = {}
    for name, errors in (("place [mm]", place), ("Jacobian", slopes)):
        for where, chosen in (("away from touch", ~near), ("near touch", near)):
            of_these = errors[chosen]
            rows[f"{name}, {where}"] = of_these.mean(), np.quantile(of_these, 0.95), of_these.max()
    return pd.DataFrame.from_dict(rows, orient="index", columns=["mean", "95 %", "largest"])


def draw_errors(tables, file):
    """Draw the mean errors over the steps, which are the keys of ``tables``."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    for axes, name in zip(figure.subplots(1, 2), ("place [mm]", "Jacobian"), strict=True):
        for where in ("away from touch", "near touch"):
            axes.loglog(list(tables), [table["mean"][f"{name}, {where}"] for table in tables.values()], label=where)
        axes.set_xlabel("step")
        axes.set_ylabel(f"mean error: {name}")
        axes.grid(alpha=0.3, which="both")
    axes.legend()
    figure.savefig(file, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("results/train_network"))
    parser.add_argument("--steps", type=int, default=11_000)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(0)
    spans, points = training_samples(DRAWN, rng)
    unseen, tables = draw_spans(UNSEEN, rng), {}

    def look(step, network):
        tables[step] = error_table(network, unseen)
        print(f"{step} steps: {tables[step]['mean'].iloc[0]:.2f} mm off in the mean, away from touch", flush=True)

    network = train(options.steps, spans, points, look)
    table = error_table(network, unseen)
    print(f"\n{len(spans)} samples, {sum(p.numel() for p in network.parameters())} weights\n\n{table.round(4)}")
    table.to_csv(options.folder / "errors.csv", index_label="error")
    draw_errors(tables, options.folder / "errors.png")
    torch.save(network.state_dict(), options.folder / "network.pt")


if __name__ == "__main__":
    main()
