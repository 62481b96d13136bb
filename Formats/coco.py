"""COCO: labels and export of images, annotations and categories, labels of COCO-Text's imgs and anns, and readings for COCO-Text.

Source: the COCO data format (cocodataset.org, "Data format"): boxes are [x, y, width, height], y down, polygons
[x1, y1, x2, y2, …]. Annotations of a category named book or spine are spines: a picture with several of them is a shelf.
"""
import json

from formats import Fault, box, degrees, each, elements, fields, hasArea, isNumber, isSpine, key, kind, legible
from formats import numbers, oneLine, only, pairs, parsed, place, refuse, role, say, share, text, turned

TEXTS = ("text", "transcription", "caption", "utf8_string")


def tables(source, refuse):
    """Images and annotations by the image's id, and names of categories by theirs; what cannot be joined is refused."""
    value = parsed(source)
    if not isinstance(value, dict):
        raise Fault(f"expected an object with images and annotations, found {kind(value)}")
    lists = [value.get(name, value.get(other)) for name, other in (("images", "imgs"), ("annotations", "anns"), ("categories", ""))]
    # COCO-Text has objects of records by id, where COCO has lists.
    lists = [[part[id] for id in sorted(part, key=lambda id: (len(id), id))] if isinstance(part, dict) else part for part in lists]
    if not (isinstance(lists[0], list) and isinstance(lists[1], list)):
        raise Fault("expected lists named images, annotations and categories")
    images, annotations, categories = {}, {}, {key(fields(one).get("id")): fields(one).get("name") for one in elements(lists[2])}
    if None in categories or not all(isinstance(name, str) for name in categories.values()):
        refuse(Fault("a category without id and name"))
    for number, one in enumerate(lists[0], 1):
        own = key(fields(one).get("id"))
        if own is None:
            refuse(Fault(f"image {number} in the list has no id that is text or an exact whole number"))
        elif images.setdefault(own, one) is not one:
            refuse(Fault(f"image {own}: duplicate id"))
    for number, one in enumerate(lists[1], 1):
        name, image = f"annotation {key(fields(one).get('id')) or f'{number} in the list'}", key(fields(one).get("image_id"))
        if image is None:
            refuse(Fault(f"{name} has no image_id that is text or an exact whole number"))
        elif image not in images:
            refuse(Fault(f"{name} belongs to image {image}, which is not in the list of images"))
        else:
            annotations.setdefault(image, []).append((name, one))
    return images, annotations, categories


# MARK: Labels

def polygon(value):
    """All points of the polygons; none without any."""
    if value in (None, [], [[]]):
        return []
    if not isinstance(value, list):
        raise Fault(f"the segmentation is {kind(value)}; expected a list of polygons")
    # COCO has a list of polygons, COCO-Text one polygon.
    parts = [value] if numbers(value) else value
    for part in parts:
        if numbers(part) is None:
            raise Fault("the segmentation is not a list of polygons")
        if len(part) % 2 or len(part) < 6:
            raise Fault(f"a polygon of {len(part)} numbers; expected x, y, x, y, … of 3 points or more")
    return sum(map(pairs, parts), [])


def masks(annotation):
    """The run lengths `{"size": [height, width], "counts": …}` of a segmentation, if it is nothing else."""
    value = annotation.get("segmentation", annotation.get("mask"))
    parts = value if isinstance(value, list) else [value]
    return parts if all("counts" in fields(part) for part in parts) else []


def shape(annotation, angle):
    isMask = bool(masks(annotation))
    points = [] if isMask else polygon(annotation.get("segmentation", annotation.get("mask")))
    if points and not hasArea(points):
        raise Fault("the polygon has no area")
    if not points:
        sides = numbers(annotation.get("bbox"), 4)
        if not sides:
            raise Fault("the segmentation is a run-length mask without corners, and bbox is missing; export polygons or boxes instead"
                        if isMask else "has neither a polygon nor a bbox of four numbers [x, y, width, height]")
        x, y, width, height = sides
        if width <= 0 or height <= 0:
            raise Fault("the bbox has no area")
        points = box(*sides)
        if angle and not isMask:
            # CVAT writes boxes as they were before the rotation, clockwise around their centre. A rotated box was aligned with the text.
            return {"points": turned(points, angle, *(sum(sides) / 4 for sides in zip(*points))), "ordered": True}
        angle = angle if isMask else 0
    return {"points": points} | ({"turn": angle} if angle else {})


def label(annotation, categories):
    """Whether an annotation is a spine, and its labels; none for one without text that is no spine."""
    attributes, category = fields(annotation.get("attributes")), key(annotation.get("category_id"))
    if category is not None and categories and category not in categories:
        raise Fault(f"category {category} is not in the list of categories")
    name = categories.get(category)
    words = [source[one] for one in TEXTS for source in (attributes, annotation) if type(source.get(one)) in (str, int, float, list)]
    meaning = role(attributes.get("role")) or role(name)
    # COCO-Text has the place of illegible text, without the text.
    if not (isSpine(name) or words or meaning or "legibility" in annotation):
        return None
    words = words[0] if words and annotation.get("legibility") != "illegible" else None
    words = ", ".join(words) if isinstance(words, list) else "" if words is None else str(words)
    region = {"text": legible(words), "role": meaning} | shape(annotation, degrees(attributes.get("rotation")))
    # Drawing tools call the turn of a box so.
    return isSpine(name), region | ({"fields": {name: attributes[name] for name in attributes if name != "rotation"}} if isSpine(name) else {})


def labels(source):
    images, annotations, categories = tables(only(source, ".json", '"annotations"', '"anns"'), refuse)
    for own, image in images.items():
        regions, faults, others, boxed, sizes = ([], []), [], 0, 0, []
        for name, annotation in annotations.get(own, []):
            sizes += [part["size"][::-1] for part in masks(annotation)[:1] if numbers(part.get("size"), 2)]
            try:
                found = label(annotation, categories)
                others += not found
                if found:
                    boxed += bool(masks(annotation))
                    regions[found[0]].append(found[1] | {"record": name})
            except Fault as fault:
                faults.append(f"{name}: {fault}")
        if not (isinstance(image.get("file_name"), str) and image["file_name"]):
            faults.append('"file_name" is missing')
        if faults:
            refuse(Fault(*faults), record=f"image {own}")
        else:
            say(image=image["file_name"], record=f"image {own}", size=[image.get("width"), image.get("height")], lines=regions[0], spines=regions[1],
                mask=sizes[0] if sizes == sizes[:1] * len(sizes) and sizes else None, notes={"otherAnnotation": others, "polygonBoxed": boxed})


# MARK: Readings

def readings(source, annotations=None):
    """The results that COCO-Text's API loads; the COCO file `annotations` has the names of images by their numbers."""
    def fail(fault):
        raise fault

    place["file"] = annotations
    images = tables(text(annotations), fail)[0] if annotations else {}
    each(source, lambda path: read(path, images), ".json")


def read(path, images):
    value, done = parsed(text(path)), {}
    if not isinstance(value, list):
        raise Fault("is not a list of results")
    for number, one in enumerate(value, 1):
        own, words, record = key(fields(one).get("image_id")), fields(one).get("utf8_string"), f"result {number}"
        if own is None or not isinstance(words, str):
            raise Fault("expected an object with image_id and utf8_string", record=record)
        image = images.get(own, {})
        name = image.get("file_name", image.get("filename"))
        if name is None and isNumber(one["image_id"]):
            raise Fault(f"image_id {own} is a number; name the COCO file of the images with --annotations", record=record)
        outline, sides = one.get("polygon", one.get("segmentation")), numbers(one.get("bbox")) or []
        points = pairs(numbers((elements(outline) or [None])[0]) or numbers(outline) or []) or (box(*sides[:4]) if len(sides) > 3 else None)
        found = done.setdefault(own, {"image": name or own, "record": record, "lines": []})["lines"]
        found += [{"text": oneLine(words), "confidence": share(one.get("score")), "quad": points}] if words.strip() else []
    for one in done.values():
        say(**one)


# MARK: Export

def export(dataset, output):
    from dataset import pictures, size
    names = ["spine", "title", "author", "publisher", "series", "sticker", "other", "text"]
    images, annotations = [], []

    def add(category, quad, attributes):
        (left, top), (right, bottom) = ([end(corner[axis] for corner in quad) for axis in (0, 1)] for end in (min, max))
        area = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(quad, quad[1:] + quad[:1]))) / 2
        annotations.append({"id": len(annotations) + 1, "image_id": len(images), "category_id": names.index(category) + 1, "area": area, "iscrowd": 0,
                            "bbox": [left, top, right - left, bottom - top], "segmentation": [sum(quad, [])], "attributes": attributes})

    for image, spines in pictures(dataset, output):
        width, height = size(f"{output}/{image}")
        images.append({"id": len(images) + 1, "file_name": image, "width": width, "height": height})
        for spine in spines:
            if spine["outline"]:
                add("spine", spine["outline"], {name: value for name, value in spine.items() if isinstance(value, str) and name != "image"})
            for line in spine["lines"]:
                add(line.get("role") or "text", line["quad"], {"text": line["text"]})
    categories = [{"id": number, "name": name} for number, name in enumerate(names, 1)]
    with open(f"{output}/annotations.json", "w", encoding="utf-8") as file:
        json.dump({"images": images, "annotations": annotations, "categories": categories}, file, ensure_ascii=False)

