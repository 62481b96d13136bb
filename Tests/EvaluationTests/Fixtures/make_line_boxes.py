"""Values of LineBoxScoreTests by other tools: shapely (GEOS) polygons and SciPy's linear_sum_assignment.

Run: python3 make_line_boxes.py > line-boxes.json
"""
import json, math, random
import numpy as np
from shapely.geometry import Polygon
from scipy.optimize import linear_sum_assignment

random.seed(21)
def quad(cx, cy, w, h, turn):
    c, s = math.cos(turn), math.sin(turn)
    return [[round(cx + x * c - y * s, 1), round(cy + x * s + y * c, 1)]
            for x, y in ((-w/2, -h/2), (w/2, -h/2), (w/2, h/2), (-w/2, h/2))]
def score(labelled, found):
    iou = np.array([[Polygon(a).intersection(Polygon(b)).area / Polygon(a).union(Polygon(b)).area for b in found] for a in labelled]).reshape(len(labelled), len(found))
    hits = (iou >= 0.5).astype(float)
    rows, cols = linear_sum_assignment(-hits)
    matched = int(sum(hits[r, c] for r, c in zip(rows, cols)))
    return matched, [round(float(r.max()), 6) if len(found) else 0.0 for r in iou]
cases = []
for n in range(12):
    labelled = [quad(60 + random.uniform(-5, 5), 60 + 45 * i, random.uniform(30, 90), random.uniform(10, 34), random.choice([0, 0, 0.03, -0.05, 1.57, 0.6])) for i in range(random.randint(1, 5))]
    found = []
    for q in labelled:
        if random.random() < 0.2: continue
        xs = [p[0] for p in q]; ys = [p[1] for p in q]
        k = random.choice([1, 1, 2]) if n % 3 == 0 else 1
        for _ in range(k):
            g = random.choice([0.8, 1.0, 1.15, 1.3, 1.6])
            cx, cy = sum(xs)/4 + random.uniform(-4, 4), sum(ys)/4 + random.uniform(-4, 4)
            found.append([[round(cx + (x - sum(xs)/4) * g, 1), round(cy + (y - sum(ys)/4) * g, 1)] for x, y in q])
    if random.random() < 0.4: found.append(quad(300, 300, 40, 12, 0))
    random.shuffle(found)
    if n == 5: found = []
    matched, overlaps = score(labelled, found)
    cases.append(dict(labelled=labelled, found=found, matched=matched, overlaps=overlaps))
# Order of corners and the way round make no difference.
a = [[0,0],[100,0],[100,20],[0,20]]
cases.append(dict(labelled=[a], found=[[[100,20],[0,20],[0,0],[100,0]]], matched=1, overlaps=[1.0]))
# Two boxes for one line: one is its own.
m, o = score([a], [a, [[0,0],[90,0],[90,20],[0,20]]])
cases.append(dict(labelled=[a], found=[a, [[0,0],[90,0],[90,20],[0,20]]], matched=m, overlaps=o))
# Exactly one half counts, and a hair less does not.
cases.append(dict(labelled=[a], found=[[[0,0],[50,0],[50,20],[0,20]]], matched=1, overlaps=[0.5]))
cases.append(dict(labelled=[a], found=[[[0,0],[49.9,0],[49.9,20],[0,20]]], matched=0, overlaps=[0.499]))
print(json.dumps({"origin": "shapely 2.2.0 (GEOS): areas of intersection and union; scipy 1.17.1 linear_sum_assignment: the most pairs with an overlap of 0.5 or more", "cases": cases}, separators=(",", ":")).replace('{"labelled"', '\n{"labelled"'))
