"""Title read, Wilson interval and percentiles: what the comparison judges every tool by. Standard library only."""

import math
import re
import unicodedata

# How alike two words must be, 1 - edits / length of the longer, for one to count as the other read.
ALIKE = 0.8


# Letters whose mark is part of them, which Unicode does not take apart.
LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n"}
)


def fold(text):
    """The words of a text as the program folds them (`FoldedText`): lower case, no marks, no punctuation.

    What stands behind an apostrophe belongs to the word when it is one letter or two; a fraction is two words.
    """
    apart = re.sub("[¼-¾⅐-⅞]", lambda fraction: " " + fraction.group(), text or "")
    decomposed = unicodedata.normalize("NFKD", apart.casefold())
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)).translate(LETTERS)
    plain = re.sub("['`´ʼ‘’](?=[a-z]{1,2}(?![^\\W_]))", "", plain)
    return re.findall("[^\\W_]+", plain)


def edit_distance(a, b):
    """Levenshtein distance."""
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (x != y)))
        previous = current
    return previous[-1]


def alike(a, b):
    longer = max(len(a), len(b))
    return longer > 0 and 1 - edit_distance(a, b) / longer >= ALIKE


def words_found(title, read):
    """How many words of `title` are in `read`, both folded; each word of `read` serves once.

    A tool may have joined or split words, so each word of the title is looked for, in this order: as it is; in two or
    three neighbouring pieces; as the head of a run of title words that were joined to one, each alike its part of that; at
    an end of, or, from four letters on, anywhere inside a longer word, of which the rest stays for others. So spaces are
    forgiven, and no word.
    """
    left = list(read)
    found = i = 0
    while i < len(title):
        taken, used, rest = _find(title, i, left)
        found += taken
        if used:
            left[used[0] : used[-1] + 1] = rest
        i += max(taken, 1)
    return found


def _parts(words, piece):
    """Whether `piece` is a row of parts that are alike the words, in their order."""
    if not words:
        return not piece
    return any(
        alike(words[0], piece[:length]) and _parts(words[1:], piece[length:]) for length in range(1, len(piece) + 1)
    )


def _find(title, i, left):
    """How many title words from `i` on are found, the indices in `left` that this uses up, and what stays of those."""
    word = title[i]
    for j, candidate in enumerate(left):
        if alike(word, candidate):
            return 1, [j], []
    # The last split that fits is taken, as the definition of the score has it.
    for j in reversed(range(len(left))):
        for pieces in (3, 2):
            if alike(word, "".join(left[j : j + pieces])):
                return 1, list(range(j, min(j + pieces, len(left)))), []
    for run in range(len(title) - i, 1, -1):
        joined = "".join(title[i : i + run])
        for j, candidate in enumerate(left):
            if _parts(title[i : i + run], candidate) or (len(joined) >= 5 and joined in candidate):
                return run, [j], []
    if len(word) >= 3:
        for j, candidate in enumerate(left):
            is_longer = len(candidate) >= len(word) + 3
            if is_longer and candidate.endswith(word):
                return 1, [j], [candidate[: -len(word)]]
            if (is_longer and candidate.startswith(word)) or (len(word) >= 4 and word in candidate):
                before, _, after = candidate.partition(word)
                return 1, [j], [part for part in (before, after) if part]
    return 0, [], []


def title_read(title, lines):
    """Whether every word of the title is found in the lines."""
    words = fold(title)
    return words_found(words, fold(" ".join(lines))) == len(words)


def wilson(successes, trials, z=1.959964):
    """Wilson's score interval for a rate, 95 % by default; `trials` is at least 1 (Wilson 1927)."""
    rate = successes / trials
    centre = rate + z * z / (2 * trials)
    half = z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return (centre - half) / scale, (centre + half) / scale


def percentile(values, percent):
    """The nearest-rank percentile of at least one value."""
    return sorted(values)[max(0, math.ceil(percent / 100 * len(values)) - 1)]
