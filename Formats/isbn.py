"""ISBNs as lists, exports of apps and spreadsheets write them."""
import itertools
import re
import unicodedata


def plain(text):
    """The text with one kind of dash, space and digit, and without invisible characters."""
    if text.isascii() and text.isprintable():
        return text
    text = re.sub("[\xad\u200b-\u200f\u202a-\u202e\u2060\ufeff]", "", unicodedata.normalize("NFKC", text))
    return re.sub(r"\d", lambda one: str(int(one[0])), re.sub("[\u2010-\u2015\u2212]", "-", re.sub(r"\s|[\0-\x1f\x7f]", " ", text)))


def isbn(text):
    """Thirteen digits of a number of ten or thirteen whose check digit is right (ISBN Users' Manual, 7th edition), or None."""
    digits = re.sub("[- ]", "", text).replace("x", "X")
    if re.fullmatch("[0-9]{9}[0-9X]", digits) and sum((10 - i) * (10 if d == "X" else int(d)) for i, d in enumerate(digits)) % 11 == 0:
        digits = "978" + digits[:9]
        digits += str(-sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10)
    # 979-0 is printed music.
    right = re.fullmatch("97(8|9(?!0))[0-9]+", digits) and len(digits) == 13
    return digits if right and sum(int(d) * (1, 3)[i % 2] for i, d in enumerate(digits)) % 10 == 0 else None


def isISBNColumn(name):
    name = folded(name)
    return "isbn" in name or name in ("ean", "ean13", "identifiers")


def folded(name):
    """Letters and digits of a name, in lower case without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", name.casefold()) if letter.isalnum())


def withoutDecimals(text):
    return re.sub(r"^(\d*)[,.]0+$", r"\1", text)


def restored(digits):
    """The number of digits whose leading zeros a spreadsheet dropped."""
    return isbn(digits.zfill(10)) if re.fullmatch(r"[0-9]{6,8}[0-9xX]", digits) else None


def ofSpreadsheet(text):
    """The ISBN of a whole field that a spreadsheet took for a number."""
    if match := re.fullmatch(r"([^e]*)e([+-]?[0-9]+)", text.lower()):
        parts, exponent = re.fullmatch(r"([0-9])(?:[.,]([0-9]*))?", match[1]), int(match[2])
        digits = parts[1] + (parts[2] or "") if parts else ""
        if len(digits) == exponent + 1:
            return restored(digits) or isbn(digits)
        if exponent != 12 or len(digits) != 12:
            return None
        # The last digit is the check digit: two numbers at most round to these twelve digits. With fewer, ten and more do.
        found = [isbn(f"{digits}{last}") for last in range(6)] + [isbn(f"{int(digits) - 1}{last}") for last in range(5, 10)]
        found = [number for number in found if number]
        return found[0] if len(found) == 1 else None
    whole = withoutDecimals(text)
    digits = re.sub("[,.']", "", whole)
    return restored(whole) or isbn(whole) or (isbn(digits) if len(digits) == 13 else None)


def ofWord(word):
    """A word without "ISBN" or "ISBN-13" before it, and without dots."""
    rest = withoutDecimals(word)
    if rest.lower().startswith("isbn"):
        rest = rest[4:].lstrip("-")
        if rest[:2] in ("10", "13") and not isbn(rest):
            rest = rest[2:]
    return rest.replace(".", "")


def ofRun(words, isOther):
    """The first ISBN of one word or several; of another scheme one of thirteen digits, which none has by chance."""
    words, short = [ofWord(word) for word in words], None
    for start in range(len(words)):
        for joined in itertools.accumulate(words[start:start + 5]):
            number = isbn(joined)
            if number and sum(digit in "0123456789" for digit in joined) == 13:
                return number
            short = short or number
    return None if isOther else short


def isNumber(word):
    """Whether a word is meant as a number, and as none of a UUID's or Amazon's."""
    letters, digits = (len(re.findall(kind, word)) for kind in (r"[^\W\d_]", "[0-9]"))
    meant = not letters or letters == 1 and word[-1] in "xX" or digits >= 9 or re.fullmatch(r"[0-9.]+[eE][0-9]+", word)
    isOther = re.fullmatch("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", word) or len(word) == 10 and word[0] in "bB"
    return meant and re.search("[1-9]", word) and not isOther


def written(*texts):
    """The first right ISBN in fields as lists, exports and spreadsheets write it; "" if they state none, None for a wrong one."""
    wrong = False
    for text in map(plain, texts):
        digits = re.sub(r"\D", "", text)
        # "0000000000" has a right check digit, and means that there is none.
        if len(digits) > 1 and len(set(digits)) == 1:
            continue
        if number := isbn(text) or ofSpreadsheet(re.sub(r"^[\W_]+|[\W_]+$", "", text)):
            return number
        # Words that spaces alone separate belong together; a scheme, as "isbn:", stands before them.
        runs, before = [("", [])], ""
        for token in re.findall(r"(?:[^\W_]|[-.])+|.", text):
            if token == ":" and re.search(r"[^\W\d_]", before):
                runs[-1][1].pop()
                runs.append((folded(before), []))
            elif re.match(r"[^\W_]|[-.]", token):
                runs[-1][1].append(token)
            elif token != " ":
                runs.append((runs[-1][0] if token == "/" else "", []))
            before = token
        for scheme, words in runs:
            isOther = scheme and "isbn" not in scheme and scheme not in ("urn", "ean", "ean13", "gtin", "gtin13")
            if number := ofRun(words, isOther):
                return number
            wrong = wrong or not isOther and any(map(isNumber, words))
    return None if wrong else ""


def read(row, column=None):
    """The row with its ISBNs as digits; those that are wrong stay as they are."""
    for name, value in row.items():
        if isinstance(value, str) and (name == column or column is None and isISBNColumn(name)):
            found = written(value)
            if found is not None and not (value.isascii() and isbn(value)):
                row[name] = found
    return row
