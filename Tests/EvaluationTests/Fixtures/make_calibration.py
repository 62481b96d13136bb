"""Makes calibration.json: confidences and outcomes with what scikit-learn and NumPy make of them.

    pip install scikit-learn==1.9.1 numpy==2.4.6
    python make_calibration.py > calibration.json

Reliability points come from sklearn.calibration.calibration_curve, Brier scores from sklearn.metrics.brier_score_loss.
Calibration errors are computed with NumPy after Guo et al. 2017; the bins of equal mass have their edges at NumPy's
percentiles by the inverted distribution function.
"""

import json
import warnings

import numpy as np
import sklearn
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss


def errors(confidence, right, edges):
    """Expected and maximum calibration error over bins that are open below and closed above."""
    bins = np.searchsorted(edges[1:-1], confidence)
    gaps, weights = [], []
    for b in np.unique(bins):
        inside = bins == b
        gaps.append(abs(confidence[inside].mean() - right[inside].mean()))
        weights.append(inside.mean())
    return float(np.dot(gaps, weights)), float(max(gaps))


def case(name, confidence, right):
    accuracy, mean = calibration_curve(right, confidence, n_bins=10)
    width = errors(confidence, right, np.arange(11) / 10)
    mass = errors(confidence, right, np.percentile(confidence, np.arange(0, 101, 10), method="inverted_cdf"))
    return {
        "name": name,
        "confidence": confidence.tolist(),
        "right": [bool(r) for r in right],
        "accuracy": accuracy.tolist(),
        "meanConfidence": mean.tolist(),
        "brier": float(brier_score_loss(right, confidence)),
        "expectedError": width[0],
        "maximumError": width[1],
        "equalMassExpectedError": mass[0],
    }


def main():
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(7)
    cases = []
    for name, count in (("few", 7), ("as many as bins", 10), ("a run", 240)):
        confidence = rng.beta(5, 1.2, count)
        cases.append(case(name, confidence, rng.random(count) < confidence**2))
    confidence = np.round(rng.beta(4, 1, 200), 1)
    cases.append(case("confidences on the edges", confidence, rng.random(200) < 0.7))
    confidence = np.where(rng.random(60) < 0.8, 1.0, 0.0)
    cases.append(case("none but 0 and 1", confidence, rng.random(60) < 0.5))
    cases.append(case("one confidence", np.full(12, 0.9), np.arange(12) < 9))
    origin = f"scikit-learn {sklearn.__version__}, NumPy {np.__version__}; drawn with seed 7 by make_calibration.py"
    print(json.dumps({"origin": origin, "cases": cases}, indent=None))


main()
