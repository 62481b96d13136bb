"""Runs programs of the folder Formats in this process."""
import contextlib
import io
import json
import pathlib
import runpy
import sys
import tempfile
import unittest
from unittest import mock

FORMATS = pathlib.Path(__file__).parents[2] / "Formats"
FIXTURES = FORMATS.parent / "Tests/SpineDatasetsTests/Fixtures/readings"
sys.path.insert(0, str(FORMATS))
import formats  # noqa: E402


def run(format, job, *arguments):
    """The records that a program prints."""
    formats.place.clear()
    printed, command = io.StringIO(), [str(FORMATS / format), job, *map(str, arguments)]
    with mock.patch.object(sys, "argv", command), contextlib.redirect_stdout(printed):
        runpy.run_path(command[0], run_name="__main__")
    return [json.loads(line) for line in printed.getvalue().splitlines()]


class FormatTest(unittest.TestCase):
    def records(self, format, job, files, *more):
        """What a program prints of a file, or of a folder of files by their names; paths begin in that folder."""
        with tempfile.TemporaryDirectory() as folder:
            for name, contents in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
            found = run(format, job, folder if len(files) > 1 else path, *more)
        return json.loads(json.dumps(found).replace(folder + "/", ""))

    def faults(self, records):
        """Faults with their places, as they are printed."""
        found = []
        for one in records:
            start = ":".join(str(one[key]) for key in ("file", "line") if one.get(key)) + ": " + (f"{one['record']}: " if one.get("record") else "")
            found += [start + text for text in one.get("fault", [])]
        return found

    def check(self, cases, found):
        """Compares what `found` makes of each case but its last member with that."""
        for *case, expected in cases:
            with self.subTest(case):
                self.assertEqual(found(*case), expected)

    def refused(self, cases, records):
        """Expects one fault of each case, which begins with its last member."""
        for *case, expected in cases:
            with self.subTest(case):
                found = self.faults(records(*case))
                self.assertEqual([text[:len(expected)] for text in found], [expected])

    def near(self, points, expected):
        for a, b in zip(sum(points, []), sum(expected, []), strict=True):
            self.assertAlmostEqual(a, b, 9)
