"""The program `captures` as a shell sees it: output that cannot be written, and a full disk beside a killed program's journal."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
PROGRAM = pathlib.Path(os.environ.get("CAPTURES", ROOT / ".build/captures/release/captures")).resolve()
PICTURE = ROOT / "Datasets/spines-1/images/spine-00001.jpg"
# Each command that prints, in an order in which it has something to print; "_" is a space.
CALLS = """
add a.jpg --codes-only
add a.jpg --codes-only --json
sessions list
sessions list --json
sessions show latest
sessions show latest --json
sessions day
sessions search winter
sessions retry latest
sessions export latest --output s.export
sessions rename latest A_title
sessions untag latest winter
sessions duplicate latest
sessions reprocess latest --codes-only
sessions concept winter --weight 2
sessions concept
sessions concept winter --forget
sessions archive latest
sessions unarchive latest
sessions delete latest
"""
# Captures twelve notes and a picture while `studio` runs, kills that, fills the disk, and deletes the session.
FULL = r"""
set -e
mount -t tmpfs -o size=24m none "$2"
cd "$2"
"$1" studio --codes-only --port 0 --store s.sqlite 2> /dev/null &
studio=$!
trap 'kill -9 $studio' EXIT
until [ -e s.sqlite.reserve ]; do kill -0 $studio; sleep 0.1; done
exec 9> s.sqlite.lock; flock 9
cp "$3" a.jpg; "$1" add a.jpg --later --store s.sqlite
for number in 1 2 3 4 5 6 7 8 9 10 11 12; do
    (echo "Note $number"; head -c 40000 /dev/zero | tr "\0" a) > note.txt
    "$1" add note.txt --later --session latest --store s.sqlite
done
kill -9 $studio; wait $studio || true
trap - EXIT
exec 9>&-
ls s.sqlite-wal > /dev/null
for name in $4; do rm s.sqlite$name; done
cat /dev/zero > fill 2> /dev/null || true
code=0
"$1" sessions delete latest --store s.sqlite > /dev/null 2> "$2.errors" || code=$?
pictures=$(ls s.sqlite.pictures | grep -vc lock || true)
rm fill
items=$("$1" sessions list --json --store s.sqlite | wc -l)
echo "$code $pictures $items"
"""


def has_mounts():
    return subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs none /mnt && command -v flock"], capture_output=True, check=False).returncode == 0


class ProgramTests(unittest.TestCase):
    def test_every_command_names_an_output_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder, open("/dev/full", "w", encoding="utf-8") as full:
            shutil.copy(PICTURE, f"{folder}/a.jpg")
            for line in CALLS.split("\n")[1:-1]:
                words = [word.replace("_", " ") for word in line.split()]
                call = subprocess.run([PROGRAM, *words, "--store", "s.sqlite"], cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
                with self.subTest(line):
                    self.assertNotEqual(call.returncode, 0)
                    self.assertIn("standard output cannot be written: No space left on device", call.stderr)

    def test_a_note_is_shown_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(f"{folder}/note.txt").write_text("A letter\nto Anna\n", encoding="utf-8")
            for words in (["add", "note.txt"], ["sessions", "show", "latest"]):
                shown = subprocess.run([PROGRAM, *words, "--store", "s.sqlite"], cwd=folder, capture_output=True, text=True, check=True).stdout
        self.assertIn("\n    A letter\n    to Anna\n", shown)

    @unittest.skipUnless(has_mounts(), "this system permits no disk in memory ('unshare --map-root-user --mount')")
    def test_a_session_is_deleted_or_stays_whole_on_a_full_disk(self):
        for missing, expected in {"": "0 0 0", "-shm": "0 0 0", ".reserve": "4 1 1", "-shm .reserve": "4 1 1"}.items():
            with self.subTest(missing), tempfile.TemporaryDirectory() as folder:
                os.mkdir(f"{folder}/disk")
                call = subprocess.run(["unshare", "--map-root-user", "--mount", "sh", "-c", FULL, "sh", PROGRAM, f"{folder}/disk", PICTURE, missing],
                                      capture_output=True, text=True, check=False)
                self.assertEqual(call.stdout.split("\n")[-2], expected, call.stderr)
                if "reserve" in missing:
                    self.assertIn("nothing was deleted", pathlib.Path(f"{folder}/disk.errors").read_text(encoding="utf-8"))
