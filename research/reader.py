"""Other OCR tools as readers of `spinebench`, which Suites/peers.yaml names: python reader.py TOOL

Answers JSON lines (Docs/YOUR-READER.md), with the time of decoding and of reading by its own clock as stages, and the processor
time of both, of all threads and of programs that it starts.
"""

import csv
import io
import json
import logging
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
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


def rapidocr_lite():
    """RapidOCRLite with the networks of RapidOCR's wheel; its own (Indra) are for print on paper, and their licence is narrow."""
    import onnxruntime

    models = next(pathlib.Path(path) for path in sys.path if os.path.isdir(f"{path}/rapidocr/models")) / "rapidocr/models"
    session = onnxruntime.InferenceSession(models / "PP-OCRv6_rec_small.onnx")
    # Both packages are called rapidocr.
    sys.path.insert(0, os.path.join(sys.prefix, "lite"))
    from rapidocr import RapidOCR, __version__

    characters = tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8")
    characters.write(session.get_modelmeta().custom_metadata_map["character"])
    characters.flush()
    engine = RapidOCR(params={
        "Det.model_path": str(models / "PP-OCRv6_det_small.onnx"),
        "Rec.model_path": str(models / "PP-OCRv6_rec_small.onnx"),
        "Rec.rec_keys_path": characters.name,
        "Cls.model_path": str(models / "ch_ppocr_mobile_v2.0_cls_mobile.onnx"),
        "Global.log_level": "critical",
    })

    def read(image, characters=characters):
        return [{"text": text} for text in engine(lying(image)).txts or []]

    return read, __version__


def weight(lines):
    return sum(line["confidence"] * len(line["text"]) for line in lines)


def both(once):
    """Reads the lying crop both ways up; what was read with more confidence is kept."""
    return lambda image: max((once(lying(image)), once(cv2.rotate(lying(image), cv2.ROTATE_180))), key=weight)


def faster_paddle(size, ways=lambda once: lambda image: once(lying(image))):
    """faster-paddle takes files: the lying crop is handed over as PNG."""
    from faster_paddle import OcrEngine

    engine = OcrEngine(model_size=size)

    def once(image):
        png = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()
        found = engine.ocr(png)["bounds"]
        return [{"text": found[key]["text"], "confidence": float(found[key]["confidence"])} for key in sorted(found)]

    return ways(once), version("faster-paddle")


def tesseract():
    """The command line tool, both ways up."""
    printed = subprocess.run(["tesseract", "--version"], capture_output=True, check=True, text=True).stdout

    def once(image):
        png = cv2.imencode(".png", image)[1].tobytes()
        command = ["tesseract", "stdin", "stdout", "--psm", "11", "tsv"]
        table = subprocess.run(command, input=png, capture_output=True, check=True).stdout.decode()
        rows = csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE)
        words = [{"text": row["text"], "confidence": float(row["conf"]) / 100} for row in rows if row["text"] and row["text"].strip()]
        return [word for word in words if word["confidence"] >= 0]

    return both(once), printed.split()[1]


TOOLS = {
    "rapidocr": lambda: rapidocr(lambda image: image),
    "rapidocr-turned": lambda: rapidocr(lying),
    "rapidocr-tuned": lambda: rapidocr(lying, 960),
    "rapidocr-shelf": lambda: rapidocr(turned, 4096),
    "rapidocr-lite": rapidocr_lite,
    "faster-paddle": lambda: faster_paddle("small"),
    "faster-paddle-both": lambda: faster_paddle("small", both),
    "faster-paddle-tiny": lambda: faster_paddle("tiny"),
    "tesseract-cli": tesseract,
}


def processor():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def answer(read, path):
    with open(path, "rb") as file:
        contents = numpy.frombuffer(file.read(), dtype=numpy.uint8)
    start, used = time.perf_counter(), processor()
    image = cv2.imdecode(contents, cv2.IMREAD_COLOR)
    decoded = time.perf_counter()
    if image is None:
        return {"error": "not an image that OpenCV decodes"}
    lines = read(image)
    stages = {"decode": decoded - start, "read": time.perf_counter() - decoded, "processor": processor() - used}
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
