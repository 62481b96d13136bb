"""Types the commands of the documents, each in a folder that has what it names; runs measure two spines.

A command passes with exit code 0, for verdicts also 1 and 3; a server has to print its address. `make document-test` builds the programs first.
"""

import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / ".build/release"
CAPTURES = ROOT / ".build/captures/release"
COMMAND = re.compile(r"^ {4}(?:\$ )?((?:spinebench|captures|talaria|scripts/\S+\.py) .*)$", re.MULTILINE)
SERVERS = ("talaria serve", "spinebench label", "captures studio", "spinebench find --web", "captures add --inbox", "spinebench watch")
VERDICTS = ("run", "compare", "gate", "score", "report", "merge", "model", "history", "simulate", "baseline", "find", "measure")
# What a command needs that this machine may lack: a download, another program, a video, a file of a phone, pictures of things.
ELSEWHERE = re.compile(r"pose\.tflite|peers-shelves|dataset fetch|\.y4m|\{\}|things-1|--recording|/var/lib|models=v5-mobile|tesseract \{image")
# Placeholders, and sizes that take minutes.
SMALLER = {"measure Datasets/captures-1": "measure Datasets/captures-1 --limit 2", "seconds=60": "seconds=2", "--pictures 20": "--pictures 2", "--count 500": "--count 4", "photos p1": "photos spine-00001", "--index DIR": "--index packed"}
READER = """import json, sys
print(json.dumps({"ready": {"name": "mine", "version": "1"}}), flush=True)
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "lines": [{"text": "Emma"}]}), flush=True)
"""
HOCR = """<div class="ocr_page" title='image "spine-00001.jpg"'><span class="ocr_line" title="bbox 0 0 9 9">Emma</span></div>"""
RUN = "spinebench run --dataset Datasets/spines-1 --variants fast --limit 2 --warmup 0 --repetitions 1 --devices none --out Reports/runs/"
SYNTH = "spinebench dataset synth --seed 3 --count 7 --out "
SETUP = [
    *(RUN + name for name in ("A", "B", "ci", "today", "20260301T120000Z", *"12345")),
    *(SYNTH + name for name in ("DIR", "D", "my-photos", "photos-dataset", "ann", "ann2", "ben2", "tests/spines")),
    *(f"spinebench run --dataset D --variants fast --limit 2 --warmup 0 --repetitions 1 --part {part}/7 --out parts/{part}" for part in (1, 3, 4, 5, 6, 7)),
    "spinebench dataset synth --count 6 --seed 4 --out ben",
    "spinebench catalogue build books.csv --out books.sqlite",
    "bash -c 'spinebench suites standard > mine.yaml'",
    "git init -q .",
]
# What a document's reader has done before.
BEFORE = {
    "spinebench dataset digest DIR --from": "for p in 1 2; do spinebench dataset validate DIR --part $p/2 --digests $p.sha256; done",
    "spinebench dataset merge ann ben": f"rm -rf ann ben && {SYNTH}ann && spinebench dataset synth --count 6 --seed 4 --out ben",
    "scripts/pack.py --index": "rm packed/*.json*",
}


def commands():
    """Document, and command without its comment, of each line that a reader types."""
    listed = subprocess.run(["git", "ls-files", "README.md", "Apps/*.md", "Docs/*.md", "Suites/*.md", "Devices/*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    for path in listed.stdout.split():
        for found in COMMAND.finditer((ROOT / path).read_text(encoding="utf-8")):
            yield path, re.sub(r"\s+#.*$", "", found[1])


def program(*words, folder, timeout=120):
    return subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, timeout=timeout, check=False, env=environment(folder), stdin=subprocess.DEVNULL)


def environment(folder):
    return {**os.environ, "PATH": f"{PROGRAMS}:{CAPTURES}:{os.environ['PATH']}", "HOME": str(folder), "JOB_URL": "https://example.org/1", "XDG_DATA_HOME": f"{folder}/data", "XDG_CACHE_HOME": f"{ROOT}/.build/document-test"}


@contextlib.contextmanager
def serving(command, folder):
    """Runs a command that ends with Ctrl-C, while its output is read."""
    process = subprocess.Popen(["bash", "-c", "exec " + command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(folder), stdin=subprocess.DEVNULL)
    try:
        yield process.stdout
    finally:
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise


def prepare(folder):
    """Makes what the commands name: pictures, lists, datasets, and runs of two spines."""
    (folder / "Datasets").mkdir()
    for name in ("Suites", "Devices", "scripts", ".deps", ".build", *(f"Datasets/{path.name}" for path in (ROOT / "Datasets").iterdir())):
        (folder / name).symlink_to(ROOT / name)
    spines, shelves = (sorted((ROOT / "Datasets" / path).glob("*.jpg")) for path in ("spines-1/images", "shelves-1/shelves"))
    shelf = shelves[2]
    copies = {"photos": [shelf], "shelf": spines[:2], "scans": spines[:2], "frames": spines[:3], "captures": spines[:1]}
    copies |= {"spine.jpg": spines[0], "shelf.jpg": shelf, "receipt.png": spines[1], "page.jpg": spines[2], "mine/iphone-13.json": ROOT / "Devices/iphone-13.json"}
    for name, files in copies.items():
        for file in [files] if isinstance(files, pathlib.Path) else files:
            target = folder / name / (file.name if files is not file else "")
            target.parent.mkdir(exist_ok=True)
            shutil.copy(file, target)
    (folder / "reader.py").write_text(READER)
    (folder / "note.txt").write_text("Buy tea")
    (folder / "books.csv").write_text("title,author,isbn\nEmma,Jane Austen,9780141439587\n")
    (folder / "scans/labels.csv").write_text(f"image,title\n{spines[0].name},Emma\n")
    (folder / "phone.jsonl").write_text('{"sample": "spine-00001", "lines": [{"text": "Emma"}]}\n')
    (folder / "out/tesseract").mkdir(parents=True)
    (folder / "out/tesseract/spine-00001.hocr").write_text(HOCR)
    (folder / "old").symlink_to(PROGRAMS)
    for words in SETUP:
        done = program(*shlex.split(words), folder=folder)
        if done.returncode not in (0, 1, 3):
            sys.exit(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    session = program("captures", "add", "page.jpg", "--later", folder=folder).stdout
    return re.search(r"session (\w+)", session)[1]


class CommandTest(unittest.TestCase):
    def test_every_command_of_the_documents_runs(self):
        with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
            folder = pathlib.Path(name)
            session = prepare(folder)
            served = stack.enter_context(serving("talaria serve --port 0 --data server", folder))
            address, typed = next(found[0] for line in served if (found := re.search(r"http://[\w.:]+", line))), 0
            for path, command in commands():
                if ELSEWHERE.search(command):
                    continue
                typed += 1
                for long, short in {**SMALLER, "3f2a": session, "http://127.0.0.1:8080": address, "talaria URL": "talaria " + address}.items():
                    command = command.replace(long, short)
                with self.subTest(path, command=command):
                    self.type(command, folder)
            self.assertGreater(typed, 90)

    def type(self, command, folder):
        for out in re.findall(r"--out(?:put)? (\S+)", command):
            shutil.rmtree(folder / out, ignore_errors=True)
        if command.startswith(SERVERS):
            with serving(command, folder) as printed:
                return self.assertTrue(printed.readline())
        if "--plan" not in command and "--resume" not in command:
            if "run --suite" in command:
                command += " --plan"
            elif re.match("spinebench (run|compare .*--dataset)", command):
                command += ("" if "--limit" in command else " --limit 2") + (" --repetitions 1 --warmup 0" if "ch run" in command and "--rep" not in command else "")
        if "ch score" in command:
            time.sleep(1)  # Its folder has the name of the second.
        begin = time.monotonic()
        before = next((words + " && " for start, words in BEFORE.items() if command.startswith(start)), "")
        done = program("bash", "-c", before + command, folder=folder)
        if os.environ.get("VERBOSE"):
            print(f"{time.monotonic() - begin:6.1f} s  {done.returncode}  {command}", file=sys.stderr)
        allowed = (0, 1, 3) if command.split()[1] in VERDICTS else (0,)
        self.assertIn(done.returncode, allowed, f"{command}\n{done.stdout[-500:]}{done.stderr[-1500:]}")


if __name__ == "__main__":
    unittest.main()
