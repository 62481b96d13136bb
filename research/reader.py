"""Other OCR tools as readers of `spinebench`, which Suites/peers.yaml names: python reader.py TOOL

Answers JSON lines (Docs/YOUR-READER.md), with the time of decoding and of reading by its own clock as stages.
"""

import csv
import io
import json
import logging
import os
import subprocess
import sys
import time
from importlib.metadata import version

import cv2
import numpy


def turned(image):
    """The image turned so that text that reads downwards comes upright."""
    return cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE)


def lying(image):
    """The image turned, if need be, so that its long side is horizontal; text that reads downwards comes upright."""
    return turned(image) if image.shape[0] > image.shape[1] else image


def rapidocr(turn, largest_side=None):
    """RapidOCR with its OpenVINO back end; otherwise as installed, but for what the arguments say.

    Of an image that was turned in any case, lines come with their corners in the image before it was turned.
    """
    from rapidocr import EngineType, RapidOCR

    parameters = {
        "Det.engine_type": EngineType.OPENVINO,
        "Rec.engine_type": EngineType.OPENVINO,
        "Cls.engine_type": EngineType.ONNXRUNTIME,
        "Global.log_level": "critical",
    }
    if largest_side:
        parameters |= {"Det.limit_type": "max", "Det.limit_side_len": largest_side}
    logging.disable(logging.CRITICAL)
    engine = RapidOCR(params=parameters)

    def read(image):
        result = engine(turn(image))
        texts, scores = list(result.txts or []), list(result.scores or [])
        if turn is not turned or result.boxes is None:
            return [{"text": text} for text in texts]
        width = image.shape[1]
        corners = [[[float(width - y), float(x)] for x, y in box] for box in result.boxes]
        found = zip(texts, scores, corners)
        return [{"text": text, "confidence": float(score), "quad": quad} for text, score, quad in found]

    return read, version("rapidocr")


def tesseract():
    """The command line tool on the lying crop, both ways up; what it read with more confidence is kept."""
    printed = subprocess.run(["tesseract", "--version"], capture_output=True, check=True, text=True).stdout

    def once(image):
        png = cv2.imencode(".png", image)[1].tobytes()
        command = ["tesseract", "stdin", "stdout", "--psm", "11", "tsv"]
        table = subprocess.run(command, input=png, capture_output=True, check=True).stdout.decode()
        rows = csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE)
        words = [(row["text"], float(row["conf"])) for row in rows if row["text"] and row["text"].strip()]
        words = [(text, confidence) for text, confidence in words if confidence >= 0]
        return sum(confidence * len(text) for text, confidence in words), [text for text, _ in words]

    def read(image):
        image = lying(image)
        up, down = once(image), once(cv2.rotate(image, cv2.ROTATE_180))
        return [{"text": text} for text in (up[1] if up[0] >= down[0] else down[1])]

    return read, printed.split()[1]


TOOLS = {
    "rapidocr": lambda: rapidocr(lambda image: image),
    "rapidocr-turned": lambda: rapidocr(lying),
    "rapidocr-tuned": lambda: rapidocr(lying, 960),
    "rapidocr-shelf": lambda: rapidocr(turned, 4096),
    "tesseract-cli": tesseract,
}


def answer(read, path):
    with open(path, "rb") as file:
        contents = numpy.frombuffer(file.read(), dtype=numpy.uint8)
    start = time.perf_counter()
    image = cv2.imdecode(contents, cv2.IMREAD_COLOR)
    decoded = time.perf_counter()
    if image is None:
        return {"error": "not an image that OpenCV decodes"}
    lines = read(image)
    stages = {"decode": decoded - start, "read": time.perf_counter() - decoded}
    return {"lines": lines, "stages": {name: seconds * 1e3 for name, seconds in stages.items()}}


def main():
    # The answers keep standard output to themselves; what a library prints goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    read, version = TOOLS[sys.argv[1]]()
    print(json.dumps({"ready": {"name": sys.argv[1], "version": version}}), file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            result = answer(read, request["image"])
        except Exception as error:  # a tool that fails on a picture has not read it; the run goes on
            result = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": request["id"]} | result, ensure_ascii=False), file=answers, flush=True)


if __name__ == "__main__":
    main()
