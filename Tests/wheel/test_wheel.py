"""The files of a release: wheels, the list of libraries of a program, and what installs them."""

import base64
import csv
import hashlib
import pathlib
import runpy
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WHEEL = runpy.run_path(str(ROOT / "scripts/wheel.py"))


class WheelTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_a_wheel_records_its_files_and_is_the_same_again(self):
        def make(name):
            (self.folder / name).mkdir()
            contents = [("thing/b", b"text", False), ("thing/bin/a", b"#!/bin/sh\n", True)]
            WHEEL["wheel"](self.folder / name, "thing", "py3-none-any", contents, ("other>=1",), "[console_scripts]\n", [("LICENSE", b"free")])
            return next((self.folder / name).iterdir())

        path = make("first")
        self.assertEqual(path.read_bytes(), make("second").read_bytes())
        with zipfile.ZipFile(path) as archive:
            info = path.name.split("-py3")[0] + ".dist-info"
            rows = list(csv.reader(archive.read(f"{info}/RECORD").decode().splitlines()))
            self.assertEqual(sorted(row[0] for row in rows), sorted(archive.namelist()))
            for name, digest, size in rows[:-1]:
                data = archive.read(name)
                self.assertEqual((digest, size), ("sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("="), str(len(data))))
            self.assertIn(b"Requires-Dist: other>=1\n", archive.read(f"{info}/METADATA"))
            self.assertEqual(archive.getinfo("thing/bin/a").external_attr >> 16, 0o100755)

    @unittest.skipUnless(shutil.which("clang") and shutil.which("readelf"), "needs clang and readelf")
    def test_a_library_is_opened_when_it_is_needed(self):
        (self.folder / "late.c").write_text("int late(void) { return 7; }")
        (self.folder / "main.c").write_text(
            """
            #include <dlfcn.h>
            int late(void);
            int main(int count, char **paths) { return count > 1 && dlopen(paths[1], RTLD_NOW | RTLD_GLOBAL) ? late() : 3; }
            """
        )
        library, program = self.folder / "liblate.so", self.folder / "main"
        run = lambda *words: subprocess.run([str(word) for word in words], capture_output=True, check=False).returncode
        self.assertEqual(run("clang", "-shared", "-fPIC", "-Wl,-soname,liblate.so", self.folder / "late.c", "-o", library), 0)
        self.assertEqual(run("clang", self.folder / "main.c", "-Wl,-z,lazy", f"-L{self.folder}", "-llate", "-o", program), 0)
        self.assertEqual(run(program), 127)
        with self.assertRaisesRegex(SystemExit, "main needs liblate.so"):
            WHEEL["opened_when_needed"](program, [])
        WHEEL["opened_when_needed"](program, ["liblate.so"])
        self.assertEqual([run(program), run(program, library)], [3, 7])

    def test_a_release_is_installed_if_it_is_the_one(self):
        (self.folder / "program").write_text("#!/bin/sh\necho it\n")
        (self.folder / "program").chmod(0o755)
        archive = self.folder / "release.tar.gz"
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(self.folder / "program", "spinebench-1/bin/spinebench")
        (self.folder / "scripts").mkdir()
        script = shutil.copy(ROOT / "scripts/install.sh", self.folder / "scripts")
        install = lambda digest: subprocess.run(["sh", script, archive, digest], capture_output=True, check=False).returncode
        self.assertEqual(install("0" * 64), 4)
        self.assertFalse((self.folder / ".build/release").exists())
        self.assertEqual(install(hashlib.sha256(archive.read_bytes()).hexdigest()), 0)
        self.assertEqual(subprocess.check_output([self.folder / ".build/release/spinebench"]), b"it\n")


if __name__ == "__main__":
    unittest.main()
