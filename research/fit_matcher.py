"""Fits the coefficients of Sources/Kit/BookCatalogue/Matching/MatchModel.swift.

    python research/fit_matcher.py Sources/Kit/BookCatalogue/Matching/MatchModel.swift TABLE.tsv[=WEIGHT] …

Tables are what `research/catalogue.py pairs|spines|noise --features TABLE.tsv` writes: for each text the evidence for its
candidates, and which of them is the book. WEIGHT is how much each text of the table counts for the probability, twice
as much where its book is taken out; the committed coefficients had 0.5 for the library's strings, 3 for drawn spines,
0.4 and 0.7 for the made-up ones of the large and of the small catalogue, and a table "=0.1,out" of spines of books that
the small one lacks. A penalty keeps the probability's coefficients near those of the model that is given. A text whose
book is taken out does not count where what is found is that book by another record: of one title, or of one surname and
a title that is part of the other or like it. Printed are the
coefficients in the order of MatchModel's terms, and for each table and kind of text how many are named rightly and how
many wrongly when their book is taken out, in-sample and cross-validated by group (the photo), at several thresholds.
Cross-validated are the confidence's coefficients; the terms were chosen by hand, and the rank is fitted on all (the
committed rank is older than the committed probability). Needs numpy and scipy.
"""

import collections
import difflib
import re
import sys

import numpy as np
from scipy.optimize import minimize

RANK = """titleShare titleShare² log(titleBits) authorShare log(authorBits) log(furtherBits) explained log(unexplained)
likeness label titleShare·authorShare titleShare·explained otherAuthor log(titleMissing) phrase·lineFit
otherAuthor·log(names) replaced/10""".split()
CONFIDENCE = """sqrt(margin) titleShare·authorShare otherAuthor authorShare (1-titleShare)² phraseBits/10
otherAuthor·phrase·lineFit otherAuthor·phraseBits/10 conflict/10 titleWords/10 replaced/6 otherAuthor·nameLine/10 size/4
wholeLines otherAuthor·wholeLines""".split()
FOLDS = 5
PENALTY = 30


def load(path):
    texts = collections.OrderedDict()
    with open(path, encoding="utf-8") as file:
        next(file)
        for line in file:
            kind, name, group, truth, key, *values = line.rstrip("\n").split("\t")
            text = texts.setdefault((kind, name), {"kind": kind, "group": group, "truth": [], "key": [], "evidence": []})
            text["truth"].append(int(truth))
            text["key"].append(key)
            text["evidence"].append([float(value) for value in values])
    for text in texts.values():
        for column in ("truth", "key", "evidence"):
            text[column] = np.array(text[column])
    return list(texts.values())


def bits(value):
    return np.log2(1 + value)


def rank_terms(evidence):
    t, tb, a, ab, has, fb, ex, un, like, label, missing, telling, phrase, fit, names, replaced = evidence.T[:16]
    other = has * (1 - a)
    columns = [t, t * t, bits(tb), a, bits(ab), bits(fb), ex, bits(un), like, label, t * a, t * ex, other, bits(missing)]
    return np.stack(columns + [phrase * fit, other * bits(names), np.minimum(replaced, 15) / 10], 1)


def confidence_terms(evidence, margin):
    t, tb, a, ab, has, fb, ex, un, like, label, missing, telling, phrase, fit, names, replaced = evidence[:16]
    name_line, author_likeness, size = evidence[16:19]
    other, whole = has * (1 - a), float(phrase * fit * t > 0.9)
    return [
        np.sqrt(np.clip(margin, 0, 9)), t * a, other, a, (1 - t) ** 2, min(phrase * tb, 40) / 10, other * phrase * fit,
        other * phrase * min(tb, 40) / 10, min(missing, telling, 15) / 10, min(telling - names, 40) / 10,
        min(replaced, 6) / 6, other * (author_likeness == 0) * min(name_line, 15) / 10, max(0, size - 13) / 4, whole,
        whole * other,
    ]  # fmt: skip


def fit_rank(texts, penalty=1e-3):
    """Listwise softmax: the probability that the candidates put on the book, whichever edition."""
    rows = [(rank_terms(x["evidence"][x["truth"] != 3]), x["truth"][x["truth"] != 3] == 1) for x in texts]
    rows = [row for row in rows if row[1].any() and not row[1].all()]
    terms, right = np.concatenate([row[0] for row in rows]), np.concatenate([row[1] for row in rows])
    counts = [len(row[1]) for row in rows]
    starts, owner, scale = np.cumsum([0] + counts)[:-1], np.repeat(np.arange(len(rows)), counts), terms.std(0) + 1e-9
    scaled = terms / scale

    def loss(weights):
        score = scaled @ weights
        exp = np.exp(score - np.maximum.reduceat(score, starts)[owner])
        total, part = np.add.reduceat(exp, starts), np.add.reduceat(exp * right, starts) + 1e-300
        gradient = (scaled.T @ (exp / total[owner]) - scaled.T @ (exp * right / part[owner])) / len(rows)
        value = (np.log(total) - np.log(part)).sum() / len(rows) + penalty * weights @ weights
        return value, gradient + 2 * penalty * weights

    return minimize(loss, np.zeros(terms.shape[1]), jac=True, method="L-BFGS-B").x / scale


def first(text, weights, taken_out, is_lacking=False):
    """The best candidate's terms, and whether it is the book; None where there is no candidate."""
    keep = np.isin(text["truth"], (1, 3), invert=True) if taken_out else np.full(len(text["truth"]), True)
    if not keep.any():
        return None
    evidence, keys = text["evidence"][keep], text["key"][keep]
    score = rank_terms(evidence) @ weights
    order = np.argsort(-score, kind="stable")
    rival = next((score[row] for row in order if keys[row] != keys[order[0]]), score[order[0]] - 8)
    if taken_out and not is_lacking and is_other_record(keys[order[0]], text["key"][text["truth"] == 1]):
        return None
    return confidence_terms(evidence[order[0]], score[order[0]] - rival), text["truth"][keep][order[0]] == 1


def is_other_record(found, truths):
    """Whether a candidate may be the book that was taken out; so it may where no candidate is known to be the book."""
    title, surname = found.rsplit("|", 1)
    for true_title, true_surname in (key.rsplit("|", 1) for key in truths):
        alike = title in true_title or true_title in title
        alike = alike or difflib.SequenceMatcher(None, title, true_title).ratio() > 0.7
        if title == true_title or alike and (surname == true_surname or not surname or not true_surname):
            return True
    return not len(truths)


def calibration_error(confidence, right):
    """In ten bins."""
    bins = np.minimum((confidence * 10).astype(int), 9)
    return sum(abs(np.sum(confidence[bins == number]) - np.sum(right[bins == number])) for number in range(10)) / len(right)


def coefficients(path, name):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = re.search(name + r" = (?:\[(.*?)\]|(-?[\d.]+))", text, re.DOTALL)
    return np.array([float(value) for value in re.findall(r"(-?\d+\.\d+)(?:,|$)", found[1] or found[2])])


def fit(terms, right, weight, before):
    """A logistic regression whose coefficients, but for the last, keep near those `before`."""
    penalty = np.append(np.full(len(before) - 1, PENALTY), 0)

    def loss(values):
        logit = terms @ values
        step = values - before
        value = np.sum(weight * (np.logaddexp(0, logit) - right * logit)) + penalty @ (step * step) / 2
        return value, terms.T @ (weight * (1 / (1 + np.exp(-logit)) - right)) + penalty * step

    return minimize(loss, before, jac=True, method="L-BFGS-B").x


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    model, data = sys.argv[1], []
    for argument in sys.argv[2:]:
        path, _, options = argument.partition("=")
        weight, _, only = options.partition(",")
        data.append((path, float(weight or 1), only == "out", load(path)))
    print("rank")
    for name, value in zip(RANK, fit_rank([text for _, _, _, texts in data for text in texts])):
        print(f"  {value:8.3f}, // {name}")
    # The probability is fitted to the rank that the model has.
    weights = coefficients(model, "rankCoefficients")
    terms, right, weight, group, source, out = [], [], [], [], [], []
    for path, share, is_lacking, texts in data:
        for text in texts:
            for taken_out in (True,) if is_lacking else (False, True):
                found = first(text, weights, taken_out, is_lacking)
                if found is None:
                    continue
                terms.append(found[0])
                right.append(bool(found[1] and not taken_out))
                weight.append(share * (2 if taken_out and not is_lacking else 1))
                group.append(text["group"])
                source.append((path, text["kind"]))
                out.append(taken_out)
    tables = list(dict.fromkeys(source))
    source = np.array([tables.index(name) for name in source])
    terms, right, weight, group, out = map(np.array, (terms, right, weight, group, out))
    scale = np.append(terms.std(0) + 1e-9, 1)
    terms = np.column_stack([terms, np.ones(len(terms))]) / scale
    before = np.append(coefficients(model, "confidenceCoefficients"), coefficients(model, "confidenceIntercept")) * scale
    fitted = fit(terms, right, weight, before)
    inside, outside = 1 / (1 + np.exp(-terms @ fitted)), np.zeros(len(right))
    groups = np.unique(group)
    np.random.RandomState(1).shuffle(groups)
    fold = np.array([dict(zip(groups, range(len(groups))))[name] % FOLDS for name in group])
    for number in range(FOLDS):
        part = fit(terms[fold != number], right[fold != number], weight[fold != number], before)
        outside[fold == number] = 1 / (1 + np.exp(-terms[fold == number] @ part))
    print(f"confidence\n  {fitted[-1]:8.3f}  // 1")
    for name, value in zip(CONFIDENCE, fitted / scale):
        print(f"  {value:8.3f}, // {name}")
    for number, (path, kind) in enumerate(tables):
        mine = source == number
        count, others = max(1, np.sum(mine & ~out)), max(1, np.sum(mine & out))
        texts = np.sum(mine & ~out) or np.sum(mine & out)
        for name, confidence in (("in-sample", inside), ("cross-validated", outside)):
            print(f"{path} {kind}: {texts} texts, {name}, ECE {calibration_error(confidence[mine], right[mine]):.3f}")
            for threshold in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
                named = mine & (confidence >= threshold)
                print(
                    f"  from {threshold}: right {np.sum(named & ~out & right) / count:.4f}, "
                    f"wrong {np.sum(named & ~out & ~right) / count:.4f}, "
                    f"book taken out and yet named {np.sum(named & out) / others:.4f}"
                )


main()
