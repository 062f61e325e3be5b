"""Euler angles and quaternions: conversion of their rates to angular velocity, and of a length's derivatives.

A joint rotates its child ("body") frame relative to its parent frame. The rotation is given by three body-fixed Euler
angles or by a unit quaternion Q = (Q0, Q1, Q2, Q3), scalar first; both map from the body to the parent frame. Angular
velocities are of the body relative to the parent, in one of the two ``FRAMES``; G, E and J map rates to them,

    omega = 2 G(Q) dQ/dt = E(Q) d(Q1, Q2, Q3)/dt = J(angles) d(angles)/dt.

Derivatives of a length by these coordinates, R_Q (4,), R_Q* (3,), R_E (3,), and by the angular velocity, R_S (3,),
satisfy

    R_S = G R_Q / 2,   R_Q = 2 G^T R_S,   R_Q* = E^T R_S,   R_E = J^T R_S.

Zoufaly, Chadwick, Blana & Daniel 2025 (arXiv, February 7), equations 1 to 15; they write G in the body's frame, after
Graf 2008 (arXiv:0811.2889). The length is assumed to be independent of the quaternion's norm, so that Q^T R_Q = 0.
Half angles: Bernardes & Viollet 2022, PLoS ONE 17:e0276302.
"""

from __future__ import annotations

import math

import numpy as np

from .arrays import Array
from .checks import check_choice
from .errors import RotationError

__all__ = [
    "FRAMES",
    "constrained_from_spatial",
    "constrained_map",
    "cross_matrices",
    "euler_angles",
    "euler_from_spatial",
    "euler_map",
    "euler_quaternion",
    "quaternion_from_spatial",
    "quaternion_map",
    "spatial_from_constrained",
    "spatial_from_euler",
    "spatial_from_quaternion",
]

#: Frames of angular velocities.
FRAMES = ("parent", "body")
#: A cosine of the middle Euler angle, or a quaternion's scalar, below this value counts as zero.
SINGULAR = 1e-12


def cross_matrices(v: Array) -> Array:
    """Return the cross product matrices (..., 3, 3) of vectors v (..., 3)."""
    matrices = np.zeros((*v.shape, 3))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        matrices[..., j, i] = v[..., k]
        matrices[..., i, j] = -v[..., k]
    return matrices


def quaternion_map(Q: Array, frame: str) -> Array:
    """Return G (3, 4): at a unit quaternion Q (4,), the angular velocity in ``frame`` is 2 G dQ/dt."""
    sign = 1.0 if check_choice("frame", frame, FRAMES) == "body" else -1.0
    w, x, y, z = Q
    return np.array(
        [
            [-x, w, sign * z, -sign * y],
            [-y, -sign * z, w, sign * x],
            [-z, sign * y, -sign * x, w],
        ]
    )


def constrained_map(Q: Array, frame: str) -> Array:
    """Return E (3, 3): at a unit quaternion Q, angular velocity is E d(Q[1:])/dt; RotationError at 180 degrees."""
    if abs(Q[0]) < SINGULAR:
        raise RotationError(
            "the rotation is by 180 degrees, where three elements of a quaternion do not determine the fourth: take "
            "all four"
        )
    follows = np.vstack([-np.asarray(Q[1:]) / Q[0], np.eye(3)])
    return np.asarray(2 * quaternion_map(Q, frame) @ follows)


def euler_map(angles: Array, frame: str, axes: Array | None = None) -> Array:
    """Return J (3, 3): angular velocity is J d(angles)/dt, for angles [rad] about columns of ``axes`` (default XYZ)."""
    in_parent = check_choice("frame", frame, FRAMES) == "parent"
    (s1, s2, s3), (c1, c2, c3) = map(math.sin, angles), map(math.cos, angles)
    if in_parent:
        J = np.array([[1.0, 0.0, s2], [0.0, c1, -s1 * c2], [0.0, s1, c1 * c2]])
    else:
        J = np.array([[c2 * c3, s3, 0.0], [-c2 * s3, c3, 0.0], [s2, 0.0, 1.0]])
    return J if axes is None else np.asarray(axes @ J)


def euler_quaternion(angles: Array) -> Array:
    """Return the unit quaternion (4,) of body-fixed Euler angles (3,) [rad] about X, Y and Z."""
    (a, b, c), (s, t, u) = (math.cos(x / 2) for x in angles), (math.sin(x / 2) for x in angles)
    return np.array([a * b * c - s * t * u, s * b * c + a * t * u, a * t * c - s * b * u, a * b * u + s * t * c])


def euler_angles(Q: Array, near: Array) -> Array:
    """Return the Euler angles (3,) [rad], nearest to ``near`` (3,), of a quaternion Q (4,) of any norm."""
    w, x, y, z = Q
    a, b, c, d = w + y, x + z, w - y, z - x
    plus, minus = math.hypot(a, b), math.hypot(c, d)  # cos(m/2) ± sin(m/2) of the middle angle m
    middle = 2 * math.atan2(plus, minus) - math.pi / 2
    half_sum, half_difference = math.atan2(b, a), math.atan2(d, c)
    if minus < SINGULAR * plus:
        half_difference = half_sum - near[0]
    elif plus < SINGULAR * minus:
        half_sum = half_difference + near[0]
    first, third = half_sum - half_difference, half_sum + half_difference
    candidates = np.array([[first, middle, third], [first + math.pi, math.pi - middle, third + math.pi]])
    candidates += 2 * math.pi * np.round((near - candidates) / (2 * math.pi))
    return np.asarray(candidates[np.argmin(((candidates - near) ** 2).sum(axis=1))])


def spatial_from_quaternion(R_Q: Array, Q: Array, frame: str) -> Array:
    """Convert R_Q (4, ...), derivatives of a length by quaternion Q, to derivatives by rotation in ``frame``."""
    return np.asarray(quaternion_map(Q, frame) @ R_Q / 2)


def quaternion_from_spatial(R_S: Array, Q: Array, frame: str) -> Array:
    """Convert R_S (3, ...), length derivatives by rotation, to derivatives D (4, ...) by quaternion Q: Q @ D = 0."""
    return np.asarray(2 * quaternion_map(Q, frame).T @ R_S)


def constrained_from_spatial(R_S: Array, Q: Array, frame: str) -> Array:
    """Convert R_S (3, ...), d(length)/d(rotation in ``frame``), to d(length)/d(Q[1:]); RotationError at 180 degrees."""
    return np.asarray(constrained_map(Q, frame).T @ R_S)


def spatial_from_constrained(R: Array, Q: Array, frame: str) -> Array:
    """Convert R (3, ...), d(length)/d(vector part Q[1:]), to d(length)/d(rotation in ``frame``)."""
    return np.asarray(quaternion_map(Q, frame)[:, 1:] @ R / 2)  # d(Q1, Q2, Q3)/dt are the last rows of G^T omega / 2


def euler_from_spatial(R_S: Array, angles: Array, frame: str, axes: Array | None = None) -> Array:
    """Return length derivatives (3, ...) with respect to Euler angles of :func:`euler_map`, from R_S for rotation."""
    return np.asarray(euler_map(angles, frame, axes).T @ R_S)


def spatial_from_euler(R_E: Array, angles: Array, frame: str, axes: Array | None = None) -> Array:
    """Return length derivatives (3, ...) with respect to rotation, from R_E for Euler angles of :func:`euler_map`."""
    if abs(math.cos(angles[1])) < SINGULAR:
        raise RotationError(
            f"the Euler angles are in gimbal lock, the second at {math.degrees(angles[1]):.6g} degrees: derivatives by "
            "them do not determine those by angular velocity"
        )
    return np.asarray(np.linalg.solve(euler_map(angles, frame, axes).T, R_E))
