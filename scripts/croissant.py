"""Describes a dataset in MLCommons' Croissant 1.0, for tools that load such descriptions.

    python3 scripts/croissant.py Datasets/spines-1        # writes Datasets/spines-1/croissant.json

Source: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html
"""

import hashlib, json, os, re, sys

TERMS = {
    "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/", "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"}, "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
} | {name: "cr:" + name for name in (
    "citeAs column equivalentProperty extract field fileObject fileProperty fileSet format includes isLiveDataset jsonPath key md5 "
    "parentField path recordSet references regex repeated replace samplingRate separator source subField transform").split()}
MEANINGS = {
    "id": "Unique in the dataset.", "image": "Path of the picture in the dataset's folder.",
    "category": "Kind of challenge of the spine.", "title": "As printed; null when not labelled.",
    "transcription": "All text that can be read with certainty, in reading order.",
    "orientation": "Direction of the title: upright, cw (top to bottom), ccw or inverted.",
    "author": "As printed; missing when the spine has none.", "group": "Common origin of samples, such as their photo.",
    "language": "ISO 639 code of the title's language.", "style": "Style of the lettering or the surface.",
    "split": "Intended use of the sample.", "source": "Where the picture is from.", "licence": "The picture's licence.",
}


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def labels(folder, name):
    data = open(f"{folder}/{name}", "rb").read()
    return {"@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": name, "contentSize": f"{len(data)} B",
            "encodingFormat": "application/jsonlines", "sha256": hashlib.sha256(data).hexdigest()}


def record_set(name, fields):
    return {"@type": "cr:RecordSet", "@id": name, "name": name,
            "field": [{"@type": "cr:Field", **field, "@id": f"{name}/{field['name']}", "name": f"{name}/{field['name']}"} for field in fields]}


def column(name, file):
    field = {"name": name, "dataType": "sc:Text", "description": MEANINGS[name],
             "source": {"fileObject": {"@id": file}, "extract": {"column": name}}}
    return field | ({"references": {"field": {"@id": "pictures/path"}}} if name == "image" else {})


def licence(text):
    if text in ("CC0-1.0", "CC0"):
        return "https://creativecommons.org/publicdomain/zero/1.0/"
    known = re.fullmatch(r"[A-Za-z0-9.+-]+-[0-9][0-9.]*(-only|-or-later)?|MIT|ISC|Zlib|Unlicense", text)
    return f"https://spdx.org/licenses/{text}.html" if known else text


def description(folder):
    manifest = json.load(open(f"{folder}/dataset.json", encoding="utf-8"))
    result = {"@context": TERMS, "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.0", "name": manifest["name"],
              "description": manifest.get("description", "Labelled pictures of book spines."), "version": manifest.get("version", "0")}
    if "licence" in manifest:
        result["license"] = licence(manifest["licence"])
    distribution, records, images = [], [], []
    if os.path.exists(f"{folder}/samples.jsonl"):
        samples = lines(f"{folder}/samples.jsonl")
        images += [sample["image"] for sample in samples]
        # A column that no sample has cannot be read.
        fields = [name for name in MEANINGS if any(sample.get(name) is not None for sample in samples)]
        distribution.append(labels(folder, "samples.jsonl"))
        records.append(record_set("samples", [column(name, "samples.jsonl") for name in fields]))
    if os.path.exists(f"{folder}/shelves.jsonl"):
        images += [shelf["image"] for shelf in lines(f"{folder}/shelves.jsonl")]
        titles = {"name": "titles", "dataType": "sc:Text", "repeated": True, "description": "Titles of the legible spines from left to right.",
                  "source": {"fileObject": {"@id": "shelves.jsonl"}, "extract": {"column": "books"}, "transform": {"jsonPath": "$[*].title"}}}
        distribution.append(labels(folder, "shelves.jsonl"))
        records.append(record_set("shelves", [column("image", "shelves.jsonl"), titles]))
    patterns = sorted({os.path.join(os.path.dirname(image), "*" + os.path.splitext(image)[1]) for image in images})
    formats = sorted({"image/png" if pattern.lower().endswith("png") else "image/jpeg" for pattern in patterns})
    pictures = {"@type": "cr:FileSet", "@id": "picture-files", "name": "picture-files", "includes": patterns, "encodingFormat": formats}
    if os.path.exists(f"{folder}/shards.json"):
        shards = json.load(open(f"{folder}/shards.json", encoding="utf-8"))["shards"]
        distribution += [{"@type": "cr:FileObject", "@id": shard["file"], "name": shard["file"], "contentUrl": shard["file"],
                          "contentSize": f"{shard['bytes']} B", "encodingFormat": "application/x-tar", "sha256": shard["sha256"]} for shard in shards]
        pictures["containedIn"] = [{"@id": shard["file"]} for shard in shards]
    distribution.append(pictures)
    records.append(record_set("pictures", [
        {"name": name, "dataType": kind, "source": {"fileSet": {"@id": "picture-files"}, "extract": {"fileProperty": part}}}
        for name, kind, part in (("path", "sc:Text", "fullpath"), ("content", "sc:ImageObject", "content"))]))
    return result | {"distribution": distribution, "recordSet": records}


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.path.exists(f"{sys.argv[1]}/dataset.json"):
        sys.exit("usage: python3 scripts/croissant.py DATASET (a folder with dataset.json)")
    with open(f"{sys.argv[1]}/croissant.json", "w", encoding="utf-8") as file:
        json.dump(description(sys.argv[1]), file, indent=2, sort_keys=True, ensure_ascii=False)
        file.write("\n")
