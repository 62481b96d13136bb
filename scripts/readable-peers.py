"""Scores two extractors of readable text over the pages of CaptureReadingTests, by the F1 that the tests use.

    python3 -m venv .peers/web && .peers/web/bin/pip install readability-lxml trafilatura lxml
    .peers/web/bin/python scripts/readable-peers.py Apps/Captures/Tests/CaptureReadingTests/Fixtures [--text NAME EXTRACTOR]

Prints a line for each page of the folder (Fixtures/later is another one) and the means; Fixtures/peers.tsv has them. Both peers get the page's bytes. Of trafilatura comments are switched off,
because the true texts have none; all else is as it comes.
"""

import collections
import importlib.metadata
import pathlib
import re
import sys
import unicodedata

import lxml.html
import readability
import trafilatura


def words(text):
    """Words as a bag: runs of letters and digits, in lower case, of the text in form NFC."""
    return collections.Counter(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).lower()))


def f1(reference, hypothesis):
    """Harmonic mean of precision and recall of two bags of words; each word counts as often as it stands there."""
    common = sum((reference & hypothesis).values())
    if common == 0:
        return 0.0
    precision, recall = common / sum(hypothesis.values()), common / sum(reference.values())
    return 2 * precision * recall / (precision + recall)


def readability_lxml(page):
    """Its summary is HTML; an element of a block's kind ends a word, as it does on the screen."""
    summary = lxml.html.fromstring(readability.Document(page).summary())
    inline = {"a", "b", "strong", "i", "em", "code", "cite", "span", "sup", "sub", "small", "font", "time"}
    for element in summary.iter():
        if element.tag not in inline:
            element.tail = " " + (element.tail or "")
            element.text = " " + (element.text or "")
    return summary.text_content()


def trafilatura_text(page):
    return trafilatura.extract(page, include_comments=False) or ""


EXTRACTORS = {"readability-lxml": readability_lxml, "trafilatura": trafilatura_text}


def main():
    folder = pathlib.Path(sys.argv[1])
    if sys.argv[2:3] == ["--text"]:
        print(EXTRACTORS[sys.argv[4]]((folder / f"{sys.argv[3]}.html").read_bytes()))
        return
    print("page", *(f"{name} {importlib.metadata.version(name)}" for name in EXTRACTORS), sep="\t")
    scores = collections.defaultdict(list)
    for path in sorted(folder.glob("*.html")):
        reference = words(path.with_suffix(".txt").read_text("utf-8"))
        for name, extract in EXTRACTORS.items():
            scores[name].append(f1(reference, words(extract(path.read_bytes()))))
        print(path.stem, *(f"{scores[name][-1]:.4f}" for name in EXTRACTORS), sep="\t")
    print("mean", *(f"{sum(scores[name]) / len(scores[name]):.4f}" for name in EXTRACTORS), sep="\t")


if __name__ == "__main__":
    main()
