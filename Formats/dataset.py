"""A dataset's labels and pictures for programs that export them: from files, or from tar shards."""
import json
import os
import pathlib
import struct
import sys


def labels(folder, name):
    path = pathlib.Path(folder, name)
    rows = path.read_text("utf-8-sig").split("\n") if path.exists() else []
    return [json.loads(row) for row in rows if row.strip()]


def pictures(folder, output):
    """Copies each picture, and returns its path with the spines in it: their fields, `outline`, and placed `lines`."""
    if os.path.exists(output) and os.listdir(output):
        sys.exit(f"{output}: is not empty; specify a new folder")
    shards, spines = {}, {}
    if os.path.exists(f"{folder}/shards.json"):
        for shard in json.loads(pathlib.Path(folder, "shards.json").read_text("utf-8"))["shards"]:
            shards |= {one["image"]: (shard["file"], one["offset"], one["length"]) for one in shard["pictures"]}
    for label in labels(folder, "samples.jsonl"):
        spines.setdefault(label["image"], []).append(label | {"outline": label.get("outline")})
    for shelf in labels(folder, "shelves.jsonl"):
        spines.setdefault(shelf["image"], []).extend(book | {"outline": book.get("quad")} for book in shelf["books"])
    if not spines:
        sys.exit(f"{folder}: has no samples.jsonl or shelves.jsonl with labels")
    for image, found in spines.items():
        name, offset, length = shards.get(image, (image, 0, -1))
        target = os.path.join(output, image)
        if os.path.relpath(target, output).startswith(".."):
            sys.exit(f"{folder}: image \"{image}\" is outside the dataset")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(os.path.join(folder, name), "rb") as source, open(target, "wb") as copy:
            source.seek(offset)
            copy.write(source.read(length))
        for spine in found:
            spine["lines"] = [line for line in spine.get("lines") or [] if isinstance(line, dict) and line.get("quad")]
    return spines.items()


def size(path):
    """Width and height of a PNG or JPEG as it is seen: by its EXIF orientation."""
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(b"\x89PNG"):
        return struct.unpack(">II", data[16:24])
    place, turned = 2, False
    while data.startswith(b"\xff\xd8") and place + 9 < len(data):
        marker, length = data[place + 1], int.from_bytes(data[place + 2:place + 4], "big")
        if marker == 0xE1 and data[place + 4:place + 8] == b"Exif":
            exif = data[place + 10:place + 2 + length]
            order = "<" if exif.startswith(b"II") else ">"
            start, = struct.unpack(order + "I", exif[4:8])
            count, = struct.unpack(order + "H", exif[start:start + 2])
            entries = [struct.unpack(order + "HHIH", exif[at:at + 10]) for at in range(start + 2, start + 2 + 12 * count, 12)]
            turned = any(tag == 0x112 and value >= 5 for tag, _, _, value in entries)
        if marker in range(0xC0, 0xD0) and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[place + 5:place + 9])
            return (height, width) if turned else (width, height)
        place += 2 + length
    sys.exit(f"{path}: expected a PNG or a JPEG")
