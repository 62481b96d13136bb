"""One rival, one process: paths come in on standard input, a JSON object a line goes out.

Each answer has the path, the lines of text, `milliseconds` from the file's bytes to text, and `decodeMilliseconds`, the
part of it that went into decoding the image; or the path and `error`. The first line out says that the engine is ready.
"""

import csv
import io
import json
import logging
import os
import subprocess
import sys
import time

import cv2
import numpy


def turned(image):
    """The image turned so that text that reads downwards comes upright."""
    return cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE)


def lying(image):
    """The image turned, if need be, so that its long side is horizontal; text that reads downwards comes upright."""
    tall = image.shape[0] > image.shape[1]
    return turned(image) if tall else image


def rapidocr(turn, largest_side, prepare=lying):
    """RapidOCR with its OpenVINO back end; otherwise as installed, but for what the arguments say."""
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
    return lambda image: list(engine(prepare(image) if turn else image).txts or [])


def tesseract():
    """The command line tool on the lying crop, both ways up; what it read with more confidence is kept."""
    subprocess.run(["tesseract", "--version"], capture_output=True, check=True)

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
        return up[1] if up[0] >= down[0] else down[1]

    return read


ENGINES = {
    "rapidocr": lambda: rapidocr(turn=False, largest_side=None),
    "rapidocr-turned": lambda: rapidocr(turn=True, largest_side=None),
    "rapidocr-tuned": lambda: rapidocr(turn=True, largest_side=960),
    "rapidocr-shelf": lambda: rapidocr(turn=True, largest_side=4096, prepare=turned),
    "tesseract-cli": tesseract,
}


def answer(read, path):
    try:
        with open(path, "rb") as file:
            contents = numpy.frombuffer(file.read(), dtype=numpy.uint8)
        start = time.perf_counter()
        image = cv2.imdecode(contents, cv2.IMREAD_COLOR)
        if image is None:
            return {"path": path, "error": "not an image that OpenCV decodes"}
        decoded = time.perf_counter()
        lines = read(image)
        end = time.perf_counter()
    except Exception as error:  # a rival that fails on a sample has not read it; the run goes on
        return {"path": path, "error": f"{type(error).__name__}: {error}"}
    times = {"milliseconds": (end - start) * 1e3, "decodeMilliseconds": (decoded - start) * 1e3}
    return {"path": path, "lines": lines} | times


def main():
    # The answers keep standard output to themselves; what a library prints goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    read = ENGINES[sys.argv[1]]()
    print(json.dumps({"ready": sys.argv[1]}), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(read, line.rstrip("\n")), ensure_ascii=False), file=answers, flush=True)


if __name__ == "__main__":
    main()
