"""Networks for one wrap site of one model, trained over the muscle's own range of motion.

Cylinders and spheres need none: one network serves them all. Any other surface has a network of its own (form "segment"
of :mod:`~opensim_inertia.paths.neural.weights`), which is good for the poses that it has seen; :mod:`.samples` says
what it learns there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...._core.opensim import osim
from ....opensim_model.reading import CoordinateTable, Kinematics, MusclePath, model_muscles
from ...neural import NeuralWeights
from ...neural.settings import SPAN_SETTINGS, TrainingSettings
from ..path_samples import sample_opensim_paths
from ..surfaces import wrap_bodies
from ..survey import survey, survey_poses
from .samples import TARGETS, Job, SiteSampler

__all__ = ["COUNT", "TARGETS", "Job", "train_network", "required_networks"]

#: Number of samples of a training.
COUNT = 40_000


def required_networks(
    model: osim.Model, coordinates: CoordinateTable, muscles: Sequence[MusclePath]
) -> tuple[list[Job], dict[str, str]]:
    """Find the wrap sites that need networks of their own.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        muscles: paths, of which only those that wrap matter.

    Returns:
        the sites, and by muscle the reasons why others cannot have networks.
    """
    wrapped = [path for path in muscles if path.wraps and not path.is_cable]  # cables go by the formula
    model_by_name = model_muscles(model)
    bodies = dict.fromkeys(
        body for path in wrapped for body in (*path.bodies, *wrap_bodies(model_by_name[path.muscle]))
    )
    kinematics = Kinematics(model, coordinates, tuple(bodies))
    samples = sample_opensim_paths(model, coordinates, wrapped, kinematics, survey_poses(model, coordinates))
    surveys = {name: survey(paths) for name, paths in samples.items()}
    jobs = [Job(path, site) for path in wrapped for site in surveys[path.muscle].sites if not site.surface.planar]
    return jobs, {name: result.reason for name, result in surveys.items() if result.reason}


def train_network(
    model: osim.Model,
    coordinates: CoordinateTable,
    job: Job,
    settings: TrainingSettings = SPAN_SETTINGS,
    target: str = TARGETS[0],
    count: int | None = None,
    **options: Any,
) -> NeuralWeights:
    """Train the network of a wrap site.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        job: from :func:`required_networks`.
        settings: how to train.
        target: the path to learn, one of ``TARGETS``.
        count: number of training samples; default: ``COUNT``.
        options: see :func:`~opensim_inertia.paths.neural.training.training.train`.

    Raises:
        MissingPackageError: PyTorch is not installed.
        InertiaError: nothing can be learnt there.
    """
    from ...._core.torch import torch
    from ...neural.training.spans import train_span

    sampler = SiteSampler(model, coordinates, job, target, progress=options.get("progress"))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # networks this small are slower on several
    try:
        weights = train_span(sampler, job.site.surface.kind, settings, count or COUNT, **options)
    finally:
        torch.set_num_threads(threads)
    return replace(weights, recipe={**weights.recipe, "sampling": sampler.metadata()})  # with what was left out
