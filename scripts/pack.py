#!/usr/bin/env python3
"""Packs a dataset into tar archives as WebDataset has them, with the index that spinebench reads; or indexes archives of others.

    scripts/pack.py DATASET OUT --most 1000       # at most 1000 pictures in an archive, or a size such as 256MB
    scripts/pack.py --index DIR                   # KEY.jpg, KEY.png or KEY.heic and KEY.json belong together

An archive has KEY.jpg and KEY.json for every picture (and KEY.2.json where it has two labels), in the order of the labels, which
are beside the archives as well; pictures of a group stay together. The digest stays the same, and the same dataset gives the
same bytes. An index changes no archive; `spinebench dataset validate DIR` checks the labels. Exit code 2: wrong input.
"""
import argparse
import hashlib
import io
import json
import os
import re
import shutil
import sys
import tarfile

LABELS = ("samples.jsonl", "shelves.jsonl")
PICTURES = (".png", ".jpg", ".jpeg", ".heic", ".heif")
UNITS = {"": 0, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def refuse(problem):
    print(f"error: {problem}", file=sys.stderr)
    sys.exit(2)


def parsed(line, place):
    try:
        label = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
        if isinstance(label, dict):
            return label
    except ValueError as error:
        refuse(f"{place}: not valid JSON: {error}")
    refuse(f"{place}: expected a JSON object")


def lines(folder, name):
    path = os.path.join(folder, name)
    rows = open(path, "rb").read().split(b"\n") if os.path.exists(path) else []
    return [(row.strip(), parsed(row.strip(), f"{path}:{number}")) for number, row in enumerate(rows, 1) if row.strip(b" \t\r\xef\xbb\xbf")]


def pictures(folder):
    """Bytes of each picture by its path: of a file, or of a place in an archive."""
    index = os.path.join(folder, "shards.json")
    shards = json.load(open(index))["shards"] if os.path.exists(index) else []
    places = {one["image"]: (shard["file"], one["offset"], one["length"]) for shard in shards for one in shard["pictures"]}

    def read(image):
        name, offset, length = places.get(image, (image, 0, -1))
        with open(os.path.join(folder, name), "rb") as file:
            file.seek(offset)
            return file.read(length)
    return read


def units(folder):
    """Pictures with their ids and lines of labels, those of one group together, in the order of the labels."""
    entries, unit_of, members = {}, {}, {}
    for name in LABELS:
        for row, label in lines(folder, name):
            image = label.get("image") or refuse(f"{folder}/{name}: a label without an image")
            entry = entries.setdefault(image, (image, [], []))
            entry[1].append(label.get("id", image))
            entry[2].append(row)
            own = unit_of.setdefault(("image", image), image)
            if own not in members:
                members[own] = [image]
            other = unit_of.setdefault(("group", label["group"]), own) if label.get("group") else own
            if other != own:
                # The earlier unit takes the other one in.
                kept, left = sorted((own, other), key=lambda unit: list(entries).index(members[unit][0]))
                members[kept] += members.pop(left)
                unit_of.update({key: kept for key, unit in unit_of.items() if unit == left})
    places = {image: place for place, image in enumerate(entries)}
    return [[entries[image] for image in sorted(unit, key=places.get)] for unit in members.values()]


def named(entry, keys):
    """Names in the archive of a picture and its labels: their key, which ends at the first dot, is unique in the dataset."""
    folder, (stem, ending) = os.path.dirname(entry[0]), os.path.splitext(os.path.basename(entry[0]))
    base = os.path.join(folder, stem.replace(".", "_") or "_")
    key = next(name for name in (base if number == 1 else f"{base}-{number}" for number in range(1, len(keys) + 2)) if name not in keys)
    keys.add(key)
    return [key + (ending or ".jpg")] + [f"{key}.json" if number == 1 else f"{key}.{number}.json" for number in range(1, len(entry[2]) + 1)]


def pack(folder, output, most):
    number, unit = re.fullmatch(r"([1-9]\d{0,8})([A-Za-z]*)", most).groups()
    if not any(os.path.exists(os.path.join(folder, name)) for name in LABELS):
        refuse(f"{folder}: has no samples.jsonl or shelves.jsonl")
    if os.path.exists(output) and os.listdir(output):
        refuse(f"{output}: is not empty; specify a new folder")
    os.makedirs(output, exist_ok=True)
    manifest = {"name": os.path.basename(os.path.abspath(folder))}
    if os.path.exists(f"{folder}/dataset.json"):
        manifest = json.load(open(f"{folder}/dataset.json"))
    stem, shards, keys, read = re.sub(r"[^A-Za-z0-9-]", "_", manifest["name"]), [], set(), pictures(folder)
    tar, room = None, 0
    for group in units(folder):
        members = [list(zip(named(entry, keys), [read(entry[0])] + entry[2])) for entry in group]
        # A header, and a second one with its record where the name needs one.
        size = sum(len(data) + 511 + (512 if name.isascii() and len(name) <= 100 else 2048) for one in members for name, data in one)
        isFull = room + size + 10240 > int(number) * UNITS[unit] if unit else shards and len(shards[-1]["pictures"]) + len(group) > int(number)
        if tar is None or isFull:
            if tar:
                tar.close()
            shards.append({"file": f"{stem}-{len(shards):06}.tar", "pictures": []})
            tar, room = tarfile.open(f"{output}/{shards[-1]['file']}", "w", format=tarfile.PAX_FORMAT), 0
        room += size
        for entry, one in zip(group, members):
            for name, data in one:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
            shards[-1]["pictures"].append({"image": entry[0], "ids": entry[1], "member": one[0][0]})
    if tar:
        tar.close()
    for name in LABELS + ("CARD.md", "dataset.json"):
        if os.path.exists(f"{folder}/{name}"):
            shutil.copyfile(f"{folder}/{name}", f"{output}/{name}")
    seal(output, shards)
    print(f"{output}: pictures: {sum(len(shard['pictures']) for shard in shards)}, archives: {len(shards)}")


def seal(folder, shards):
    """Writes shards.json, with the place of every picture, and size and SHA-256 of every archive."""
    for shard in shards:
        path = f"{folder}/{shard['file']}"
        places = members(path)
        for picture in shard["pictures"]:
            member = places[picture["member"]]
            picture |= {"offset": member.offset_data, "length": member.size}
            if picture["member"] == picture["image"]:
                del picture["member"]
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        shard |= {"bytes": os.path.getsize(path), "sha256": digest.hexdigest()}
    with open(f"{folder}/shards.json", "w") as file:
        json.dump({"version": 1, "shards": shards}, file, ensure_ascii=False, separators=(",", ":"))


def members(path):
    """Files of an archive by their names; a damaged archive is refused."""
    found = {}
    try:
        with tarfile.open(path, "r:") as tar:
            for member in tar:
                name = member.name.removeprefix("./")
                if member.isfile() and name in found:
                    refuse(f"{path}: byte {member.offset}: duplicate member \"{name}\"")
                if member.isfile():
                    found[name] = member
            end = tar.offset
    except (tarfile.TarError, OSError) as error:
        refuse(f"{path}: {error}")
    with open(path, "rb") as file:
        file.seek(end)
        if len(rest := file.read()) < 1024 or rest.strip(b"\0"):
            refuse(f"{path}: byte {end}: the archive is damaged or truncated")
    return found


def isOfMac(name):
    """AppleDouble files (RFC 1740) and folders, as tar, zip and the Finder add them."""
    steps = name.split("/")
    return "__MACOSX" in steps or steps[-1] == ".DS_Store" or steps[-1].startswith("._")


def index(folder):
    names = sorted(name for name in os.listdir(folder) if not isOfMac(name))
    for name in names:
        if name in LABELS + ("shards.json",):
            refuse(f"{folder}/{name}: already exists; remove it to recreate it")
        if re.search(r"\.(tgz|tar\.(gz|bz2|xz|zst))$", name.lower()):
            refuse(f"{folder}/{name}: is compressed, and pictures are read at their place in an archive; unpack it to a .tar first")
    labels, shards, first = {name: [] for name in LABELS}, [], {}
    for name in [name for name in names if name.lower().endswith(".tar")] or [refuse(f"{folder}: has no archives (*.tar)")]:
        shards.append(shard(f"{folder}/{name}", labels, first))
    for name, rows in labels.items():
        if rows:
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write("\n".join(rows) + "\n")
    seal(folder, shards)
    print(f"{folder}: labels: {sum(map(len, labels.values()))}, archives: {len(shards)}; check them: spinebench dataset validate {folder}")


def shard(path, labels, first):
    all_ = members(path)
    own = {name: member for name, member in all_.items() if not isOfMac(name)}
    if len(own) < len(all_):
        added = next(name for name in all_ if name not in own)
        print(f"{path}: {len(all_) - len(own)} members that macOS added passed over, such as \"{added}\"", file=sys.stderr)
    jsons, found = {}, []
    for name in own:
        if name.lower().endswith(".json"):
            jsons.setdefault(key(name), []).append(name)
    for image in own:
        place = f"{path}: byte {own[image].offset_data}: \"{image}\""
        if not image.lower().endswith(PICTURES):
            continue
        named = jsons.pop(key(image), None) or refuse(f"{place} has no {key(image)}.json of its own")
        picture = {"image": None, "ids": [], "member": image}
        for name in named:
            with open(path, "rb") as file:
                file.seek(own[name].offset_data)
                label = parsed(file.read(own[name].size), f"{path}: byte {own[name].offset_data}: \"{name}\"")
            kind = "shelves.jsonl" if "books" in label else "samples.jsonl"
            label.setdefault("image", image)
            if kind == "samples.jsonl":
                label.setdefault("id", key(image))
            if picture["image"] not in (None, label["image"]):
                refuse(f"{place} has two names, \"{picture['image']}\" and \"{label['image']}\"")
            picture["image"], id_ = label["image"], label.get("id", label["image"])
            if (kind, id_) in first:
                refuse(f"{place} has the id \"{id_}\", as has {first[kind, id_]}; ids are unique in a dataset")
            first[kind, id_] = place
            picture["ids"].append(id_)
            labels[kind].append(json.dumps(label, ensure_ascii=False))
        if picture["image"] in first:
            refuse(f"{place} is the second picture of the name \"{picture['image']}\", after {first[picture['image']]}")
        first[picture["image"]] = place
        found.append(picture)
    for names in jsons.values():
        refuse(f"{path}: byte {own[names[0]].offset_data}: \"{names[0]}\" has no picture of the same name")
    return {"file": os.path.basename(path), "pictures": found}


def key(name):
    """A member's name up to the first dot of its file's name."""
    return os.path.join(os.path.dirname(name), os.path.basename(name).split(".")[0])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DATASET")
    parser.add_argument("output", metavar="OUT", nargs="?")
    parser.add_argument("--most", default="1000", help="pictures of an archive, or its size")
    parser.add_argument("--index", action="store_true", help="index the archives of a folder")
    arguments = parser.parse_args()
    match = re.fullmatch(r"[1-9]\d{0,8}([A-Za-z]*)", arguments.most)
    if not match or match[1] not in UNITS:
        parser.error(f"invalid --most {arguments.most}: expected a number of pictures, or a size such as 256MB or 64MiB")
    if bool(arguments.output) == arguments.index:
        parser.error("expected DATASET OUT, or --index DIR")
    try:
        index(arguments.folder) if arguments.index else pack(arguments.folder, arguments.output, arguments.most)
    except OSError as error:
        refuse(f"{error.filename}: {error.strerror}")
