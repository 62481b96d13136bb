"""Makes edits.json: pairs of texts with what rapidfuzz and jiwer find between them.

    pip install rapidfuzz==3.14.6 jiwer==4.0.0
    python make_edits.py > edits.json

Every text is in form NFC with single spaces and none at the ends, and none of its graphemes has more than one scalar, so
that counting scalars and counting graphemes is the same.
"""

import json
import random
import unicodedata
from importlib.metadata import version

import jiwer
from rapidfuzz.distance import Levenshtein

ALPHABETS = {
    "two letters": "ab",
    "letters": "abcdefgh  ",
    "latin": "abcdeéèüößøłž’— ",
    "cyrillic and greek": "абвгдежзиαβγδεω  ",
    "cjk": "戦争と平和物語東京雪国のカ토지소설",
    "wide": "".join(map(chr, range(0x4E00, 0x4F80))),
}
# Around the 64 bits of a word and its multiples.
LENGTHS = [1, 2, 5, 12, 30, 31, 63, 64, 65, 100, 127, 128, 129, 200]


def tidy(text):
    return " ".join(unicodedata.normalize("NFC", text).split())


def damaged(rng, text, alphabet, rate):
    out = []
    for c in text:
        if rng.random() < rate:
            out.append(rng.choice(["", rng.choice(alphabet), c + rng.choice(alphabet)]))
        else:
            out.append(c)
    return "".join(out)


def row(a, b):
    # The second call gives what jiwer counts from; jiwer itself is asked where it can be: it wants a reference.
    operations = [list(o) for o in Levenshtein.opcodes(a, b).as_list()]
    found = {"reference": a, "hypothesis": b, "distance": Levenshtein.distance(a, b), "operations": operations}
    if a and b:
        for name, process in (("characters", jiwer.process_characters), ("words", jiwer.process_words)):
            got = process(a, b)
            found[name] = [got.substitutions, got.deletions, got.insertions]
    return found


def main():
    rng = random.Random(4)
    rows = [row("", ""), row("", "ab"), row("abc", ""), row("kitten", "sitting"), row("ab", "ba"), row("abcab", "babca")]
    for alphabet in ALPHABETS.values():
        for length in LENGTHS:
            a = "".join(rng.choice(alphabet) for _ in range(length))
            b = damaged(rng, a, alphabet, rng.choice([0.05, 0.3, 0.7]))
            rows.append(row(tidy(a), tidy(b)))
            other = "".join(rng.choice(alphabet) for _ in range(rng.choice(LENGTHS)))
            rows.append(row(tidy(a), tidy(other)))
    for length in (1000, 1100):
        a = "".join(rng.choice("abcdef ") for _ in range(length))
        rows.append(row(tidy(a), tidy(damaged(rng, a, "abcdef ", 0.2))))
    origin = f"rapidfuzz {version('rapidfuzz')}, jiwer {version('jiwer')}; drawn with seed 4 by make_edits.py"
    print('{"origin": ' + json.dumps(origin) + ', "rows": [')
    print(",\n".join(json.dumps(r, ensure_ascii=False, separators=(",", ":")) for r in rows))
    print("]}")


main()
