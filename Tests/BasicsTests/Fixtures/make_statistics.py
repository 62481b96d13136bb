"""Writes statistics.json: what SciPy, NumPy and statsmodels give for the statistics that the harness computes itself."""

import json
from pathlib import Path

import numpy as np
import scipy
import statsmodels
from scipy import optimize, special, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

random = np.random.default_rng(7)


def hodges_lehmann(differences):
    """Estimate and 95 % interval from all Walsh averages; ranks by the exact distribution up to n = 100."""
    d = np.asarray(differences)
    n = len(d)
    i, j = np.triu_indices(n)
    walsh = np.sort((d[i] + d[j]) / 2)
    if n <= 100:
        counts = np.array([1.0])
        for rank in range(1, n + 1):
            counts = np.convolve(counts, np.concatenate(([1.0], np.zeros(rank - 1), [1.0])))
        rank = int(np.searchsorted(np.cumsum(counts) / 2.0**n, 0.025, side="right"))
    else:
        deviation = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        rank = int(np.floor(n * (n + 1) / 4 - stats.norm.ppf(0.975) * deviation - 0.5)) + 1
    interval = [walsh[rank - 1], walsh[len(walsh) - rank]] if rank >= 1 else None
    return {"differences": list(d), "estimate": float(np.median(walsh)), "interval": interval}


def theil_sen(x, y):
    slope, _, low, high = stats.theilslopes(y, x, 0.95)
    return {"x": list(map(float, x)), "y": list(map(float, y)), "slope": slope, "interval": [low, high]}


def tango(gained, lost, n):
    """Score interval of a paired difference, the restricted likelihood maximised by SciPy rather than in closed form."""

    def statistic(delta):
        def loss(only_first):
            p = np.array([only_first + delta, only_first, 1 - 2 * only_first - delta])
            return -special.xlogy([gained, lost, n - gained - lost], np.clip(p, 1e-300, 1)).sum()

        low, high = max(0, -delta), (1 - delta) / 2
        best = optimize.minimize_scalar(loss, (low, high), bounds=(low, high), method="bounded", options={"xatol": 1e-13})
        return (gained - lost - n * delta) / np.sqrt(n * max(2 * best.x + delta - delta**2, 1e-12))

    z, estimate = stats.norm.ppf(0.975), (gained - lost) / n
    ends = [
        optimize.brentq(lambda d: statistic(d) - z, -1 + 1e-9, estimate, xtol=1e-12),
        optimize.brentq(lambda d: statistic(d) + z, estimate, 1 - 1e-9, xtol=1e-12),
    ]
    return [gained, lost, n, *ends]


def bounds(percent, n):
    """Ranks of the order statistics that bound a percentile with 2.5 % a side."""
    b = stats.binom(n, percent / 100)
    lower = max((rank for rank in range(1, n + 1) if b.cdf(rank - 1) <= 0.025), default=None)
    upper = min((rank for rank in range(1, n + 1) if b.sf(rank - 1) <= 0.025), default=None)
    confidence = 1 - (b.cdf(lower - 1) if lower else 0) - (b.sf(upper - 1) if upper else 0)
    return {"percent": percent, "count": n, "lower": lower, "upper": upper, "confidence": confidence}


shares = [1e-12, 1e-6, 0.001, 0.025, 0.05, 0.3, 0.5, 0.9, 0.975, 0.99, 0.999999]
leak = np.arange(40) * 0.5 + np.round(random.normal(0, 4, 40), 3)
document = {
    "origin": f"SciPy {scipy.__version__}, NumPy {np.__version__}, statsmodels {statsmodels.__version__}",
    "normalQuantile": [[p, stats.norm.ppf(p)] for p in shares],
    "normalCumulative": [[x, stats.norm.cdf(x)] for x in [-8, -3, -1.5, -0.1, 0, 0.7, 1.96, 4]],
    "beta": [
        [x, a, b, special.betainc(a, b, x)]
        for x, a, b in [
            (0.5, 1, 1), (0.3, 0.5, 0.5), (0.95, 90, 1), (0.01, 2, 30), (0.999, 2000, 3), (0.4, 400, 600),
            (0.39, 4000, 6000), (0.95, 94800, 5201), (0.2, 0.5, 40), (0.9, 3, 0.7),
        ]
    ],
    "binomial": [
        [n, p, k, stats.binom.cdf(k, n, p), stats.binom.sf(k - 1, n, p)]
        for n, p, k in [
            (1, 0.5, 0), (10, 0.5, 3), (100, 0.95, 92), (100, 0.95, 99), (1000, 0.01, 3), (20000, 0.99, 19850),
            (7, 0.5, 0), (5, 0, 0), (5, 1, 4),
        ]
    ],
    "studentQuantile": [
        [p, df, stats.t.ppf(p, df)] for p in [0.01, 0.5, 0.9, 0.975, 0.9999] for df in [1, 2, 4, 9, 19.5, 120, 10000]
    ],
    "percentileBounds": [
        bounds(percent, n) for percent, n in
        [(50, 5), (50, 6), (50, 100), (95, 1), (95, 2), (95, 72), (95, 73), (95, 240), (99, 368), (99, 1000), (1, 400), (90, 5000)]
    ],
    "wilson": [
        [k, n, confidence, *map(float, proportion_confint(k, n, 1 - confidence, "wilson"))]
        for k, n in [(0, 1), (1, 1), (17, 20), (204, 240), (9999, 10000)] for confidence in [0.5, 0.9, 0.95, 0.99]
    ],
    "mcnemar": [
        {
            "b": b, "c": c,
            "exact": float(mcnemar([[0, b], [c, 0]], exact=True).pvalue),
            "mid": float(1.0 if b == c else 2 * stats.binom.cdf(min(b, c), b + c, 0.5) - stats.binom.pmf(min(b, c), b + c, 0.5)),
            "worse": float(stats.binomtest(b, b + c, alternative="greater").pvalue),
        }
        for b, c in [(1, 0), (0, 1), (5, 0), (10, 3), (3, 10), (7, 7), (120, 95), (600, 500)]
    ],
    "pairedRates": [tango(*row) for row in [(12, 2, 50), (2, 12, 50), (1, 0, 20), (0, 0, 60), (7, 25, 240), (300, 280, 5000)]],
    "harrellDavis": [
        {"percent": percent, "values": values, "estimate": float(stats.mstats.hdquantiles(values, percent / 100)[0])}
        for percent, values in [
            (50, [1.0, 2.0, 4.0, 8.0, 16.0]), (95, list(np.round(random.lognormal(5, 0.5, 120), 2))),
            (99, list(np.round(random.lognormal(5, 0.5, 40), 2))), (10, [7.0] * 12),
        ]
    ],
    "hodgesLehmann": [
        hodges_lehmann(d) for d in [
            [2.5], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6], [3, 3, 3, 3, 3, 3, 3, 3],
            # Hollander and Wolfe, table 3.1 (Hamilton depression scale), second less first.
            [-0.952, 0.147, -1.022, -0.430, -0.620, -0.590, -0.490, 0.080, -0.010],
            list(np.round(random.normal(1, 3, 30), 2)), list(np.round(random.lognormal(0, 1, 49), 3)),
            list(np.round(random.lognormal(0, 1, 100), 3)), list(np.round(random.lognormal(0, 1, 101), 3)),
            list(map(float, random.integers(-5, 9, 200))),
        ]
    ],
    "theilSen": [
        theil_sen(range(40), leak),
        theil_sen(random.integers(0, 12, 60), random.integers(0, 9, 60)),
        theil_sen(np.sort(random.uniform(0, 100, 75)), random.normal(0, 1, 75)),
        theil_sen(range(12), [5.0] * 12),
    ],
}
text = json.dumps(document, indent=1, allow_nan=False, default=float)
(Path(__file__).parent / "statistics.json").write_text(text + "\n")
