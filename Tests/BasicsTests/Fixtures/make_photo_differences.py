"""Writes photo-differences.json: paired rate differences over photos, with the intervals that NumPy's resampling of whole photos
gives (200,000 resamples): plain percentiles, and the percentiles expanded for few photos (Hesterberg 2015, section 5.3)."""

import json
from pathlib import Path

import numpy as np
import scipy
from scipy import stats

random = np.random.default_rng(43)
RESAMPLES = 200_000


def case(name, gained, lost, sizes):
    gained, lost, sizes = (np.asarray(values, dtype=float) for values in (gained, lost, sizes))
    photos = len(sizes)
    effective = sizes.sum() ** 2 / (sizes**2).sum()
    drawn = random.multinomial(photos, np.full(photos, 1 / photos), size=RESAMPLES)
    rates = drawn @ (gained - lost) / (drawn @ sizes)
    tail = stats.norm.cdf(-stats.t.ppf(0.975, effective - 1) * np.sqrt(effective / (effective - 1)))
    return {
        "name": name,
        "gained": [int(n) for n in gained],
        "lost": [int(n) for n in lost],
        "sizes": [int(n) for n in sizes],
        "difference": (gained.sum() - lost.sum()) / sizes.sum(),
        "plain": list(np.quantile(rates, [0.025, 0.975])),
        "expanded": list(np.quantile(rates, [tail, 1 - tail])),
        # Of the side beyond 0, expanded in the same way.
        "p": float(
            2
            * stats.t.cdf(
                stats.norm.ppf(min(0.5, np.mean(rates >= 0 if lost.sum() > gained.sum() else rates <= 0)))
                / np.sqrt(effective / (effective - 1)),
                effective - 1,
            )
        ),
    }


def failing(photos, sizes, chance, spared):
    sizes = random.integers(sizes[0], sizes[1] + 1, photos)
    lost = np.where(random.random(photos) < chance, np.maximum(1, sizes - spared), 0)
    return np.zeros(photos), lost, sizes


def spread(photos, sizes):
    sizes = random.integers(sizes[0], sizes[1] + 1, photos)
    lost = random.binomial(sizes, random.beta(0.4, 1.6, photos))
    return random.binomial(sizes - lost, 0.04), lost, sizes


cases = [
    case("most losses on two of 12 photos", [0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], [12, 0, 0, 9, 0, 1, 0, 0, 0, 2, 0, 0],
         [14, 6, 8, 10, 5, 9, 7, 11, 6, 12, 8, 9]),
    case("all losses on one of 12 photos", [0] * 12, [20] + [0] * 11, [20] + [9] * 11),
    case("whole photos fail, 20", *failing(20, (8, 12), 0.35, 1)),
    case("whole photos fail, 40", *failing(40, (1, 12), 0.2, 0)),
    case("losses by photo, 15", *spread(15, (10, 20))),
    case("losses by photo, 30", *spread(30, (1, 20))),
    case("losses by photo, 60", *spread(60, (1, 12))),
]
path = Path(__file__).with_name("photo-differences.json")
path.write_text(json.dumps({"origin": f"NumPy {np.__version__}, SciPy {scipy.__version__}", "cases": cases}, indent=1) + "\n")
