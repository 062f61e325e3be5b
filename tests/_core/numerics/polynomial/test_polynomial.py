"""Polynomials against closed forms, differences, and selections that fit every candidate anew."""

import json

import numpy as np
import pytest

from opensim_inertia._core.polynomials import Polynomials, Regression, all_terms
from opensim_inertia.errors import FewPosesError, NotFiniteError, PolynomialError


@pytest.fixture
def rng():
    return np.random.default_rng(20)


def smooth(x):
    """Return two functions of three variables, and their derivatives."""
    a, b, c = x.T
    values = np.stack([np.sin(a) * np.exp(0.3 * b), np.cos(a + c)], axis=1)
    jacobian = np.zeros((len(x), 2, 3))
    jacobian[:, 0, 0], jacobian[:, 0, 1] = np.cos(a) * np.exp(0.3 * b), 0.3 * values[:, 0]
    jacobian[:, 1, 0] = jacobian[:, 1, 2] = -np.sin(a + c)
    return values, jacobian


def test_selection_is_that_which_fits_every_candidate_anew(rng):
    x = rng.uniform(-1, 2, size=(80, 3))
    values, jacobian = smooth(x)
    weights = np.array([2.0, 1.0, 0.5, 1.5])
    polynomials, rmse = Regression.of(x, values, jacobian, degree=3, weights=weights).select(stop=0.1)

    z = (x - polynomials.centre) / polynomials.scale
    candidates = all_terms(3, 3)

    def error(terms):
        unit = Polynomials(candidates[terms], np.zeros(3), np.ones(3), np.eye(len(terms)))
        rates = unit.jacobian(z) / polynomials.scale
        rows = np.concatenate([2 * unit.values(z), *(w * rates[:, :, i] for i, w in enumerate(weights[1:]))])
        expected = np.concatenate([2 * values, *(w * jacobian[:, :, i] for i, w in enumerate(weights[1:]))])
        residuals = expected - rows @ np.linalg.lstsq(rows, expected)[0]
        return np.sqrt((residuals**2).sum() / (80 * (weights**2).sum() * 2))

    terms, errors = [0], [error([0])]
    while True:
        best = min((error([*terms, i]), i) for i in range(len(candidates)) if i not in terms)
        if errors[-1] - best[0] < 0.1 * errors[-1]:
            break
        errors.append(best[0])
        terms.append(best[1])
    assert (polynomials.exponents == candidates[terms]).all()
    assert len(terms) > 5
    assert rmse == pytest.approx(errors, rel=1e-9)


def test_derivatives_along_motions_give_the_polynomial_of_the_points(rng):
    """Points on a sphere that two angles move, and a function whose derivatives are known for these angles only."""
    angles = rng.uniform(0.2, 1.2, size=(80, 2))
    (sa, sb), (ca, cb) = np.sin(angles).T, np.cos(angles).T
    x = np.stack([ca * cb, sa * cb, sb], axis=1)
    motions = np.zeros((80, 3, 2))
    motions[:, 0], motions[:, 1] = np.stack([-sa * cb, -ca * sb], axis=1), np.stack([ca * cb, -sa * sb], axis=1)
    motions[:, 2, 1] = cb
    values = (x[:, 0] * x[:, 1] + x[:, 2])[:, None]
    jacobian = np.stack([np.cos(2 * angles[:, 0]) * cb**2, -2 * sa * ca * sb * cb + cb], axis=1)[:, None]
    polynomials, rmse = Regression.of(x, values, jacobian, degree=3, motions=motions).select(stop=0)
    assert rmse[-1] < 1e-12
    assert polynomials.jacobian(x) @ motions == pytest.approx(jacobian, abs=1e-10)


def test_compressed_samples_have_the_error_of_all(rng):
    x = rng.uniform(-1, 1, size=(1200, 3))  # several chunks
    values, jacobian = smooth(x)
    polynomials, rmse = Regression.of(x, values, jacobian, degree=4).select(stop=0.05, outputs=[1])
    off = polynomials.values(x)[:, 0] - values[:, 1]
    steep = polynomials.jacobian(x)[:, 0] - jacobian[:, 1]
    assert rmse[-1] == pytest.approx(np.sqrt((np.sum(off**2) + np.sum(steep**2)) / (4 * len(x))), rel=1e-9)
    assert (np.diff(rmse) <= -0.05 * rmse[:-1]).all()


def test_stored_polynomials_are_the_same(rng):
    polynomials, _ = Regression.of(x := rng.normal(size=(40, 3)), *smooth(x), degree=2).select()
    restored = Polynomials.from_dict(json.loads(json.dumps(polynomials.to_dict())))
    assert (restored.values(x) == polynomials.values(x)).all()


def test_what_cannot_be_fitted_is_refused_by_name(rng):
    x = rng.normal(size=(40, 3))
    values, jacobian = smooth(x)
    with pytest.raises(FewPosesError, match="3 poses cannot determine 4 terms"):
        Regression.of(x[:3], values[:3], jacobian[:3])
    with pytest.raises(FewPosesError, match="5 poses cannot determine 6 terms"):
        Regression.of(x[:5], values[:5], jacobian[:5]).select(stop=0)
    for i, what in enumerate(("x", "values", "jacobian")):
        samples = [x.copy(), values.copy(), jacobian.copy()]
        samples[i][7, 1] = np.nan
        with pytest.raises(NotFiniteError, match=f"{what} of pose 7 "):
            Regression.of(*samples)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "version 2 cannot be read; expected version 1"),
        ({"exponents": [[0.5, 1]]}, "damaged"),
        ({"exponents": [[-1, 1]]}, "exponents are negative"),
        ({"scale": [1.0, 0.0]}, "scales are not all positive"),
        ({"centre": [1.0]}, "damaged"),
        ({"coefficients": [[np.nan]]}, "coefficients are not all finite"),
        ({"coefficients": [[1.0], [2.0]]}, "shapes of a polynomial's arrays do not agree"),
    ],
)
def test_damaged_polynomials_are_refused(change, message):
    stored = Polynomials([[1, 0]], [0, 0], [1, 1], [[1.0]]).to_dict()
    with pytest.raises(PolynomialError, match=message):
        Polynomials.from_dict(stored | change)
    with pytest.raises(PolynomialError, match="damaged: KeyError"):
        Polynomials.from_dict({"version": 1})
