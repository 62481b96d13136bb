"""Checks what lies in Deploy, as far as that goes without a cluster and without containers.

Schemas of Kubernetes and of GitHub's workflows, linters of scripts and container files; the commands of the indexed job, run here
index by index; the recipe for one machine with tasks that fail; what submit.sh and run.sh ask of Slurm and of Kubernetes, told to
stand-ins. What is missing here (a registry, kubectl) skips its tests with a reason.

SPINEBENCH names the program (.build/release/spinebench).
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "Deploy"
PROGRAM = pathlib.Path(os.environ.get("SPINEBENCH") or ROOT / ".build/release/spinebench").absolute()
READ = ["--variants", "tesseract", "--limit", "16", "--repetitions", "1"]
# A name that shells, Kubernetes ($( )) and Slurm (%j) would make something else of.
HOSTILE = """a 'q' "d" $(id) %j; b"""

_tools = None


def tool(name):
    """A program of requirements.txt; skips the test where it cannot be installed."""
    global _tools
    if _tools is None:
        _tools = pathlib.Path(tempfile.mkdtemp(prefix="spinebench-tools-"))
        unittest.addModuleCleanup(shutil.rmtree, _tools, ignore_errors=True)
        requirements = pathlib.Path(__file__).with_name("requirements.txt")
        for words in [
            [sys.executable, "-m", "venv", _tools],
            [_tools / "bin/pip", "--disable-pip-version-check", "install", "--quiet", "--requirement", requirements],
        ]:
            done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=180)
            if done.returncode != 0:
                break
    path = _tools / "bin" / name
    if not path.exists():
        raise unittest.SkipTest(f"{name} could not be installed from {pathlib.Path(__file__).with_name('requirements.txt').name}")
    return str(path)


def run(*words, seconds=120, environment=None, **options):
    """A program run to its end, with its output and errors as text."""
    return subprocess.run(
        [str(word) for word in words], check=False, cwd=options.pop("cwd", ROOT), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=seconds, env={**os.environ, **(environment or {})}, **options
    )


def readings(folder):
    """What a run read, in its order: the same of a run in one piece and of its merged parts."""
    lines = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    texts = [[line["text"] for line in (one.get("prediction") or {}).get("lines", [])] for one in lines]
    return [[one.get(key) for key in ("measurement", "repetition", "position", "id", "outcome", "score")] + [text] for one, text in zip(lines, texts)]


class DeployTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="spinebench deploy "))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def expect(self, done, code, *texts):
        self.assertEqual(done.returncode, code, done.stdout)
        for text in texts:
            self.assertIn(text, done.stdout)

    def script(self, name, text):
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/bash\n" + text)
        path.chmod(0o755)
        return path

    def with_scripts(self, **more):
        return {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", **more}


class Files(DeployTest):
    def test_scripts_pass_shellcheck(self):
        scripts = [path for path in DEPLOY.rglob("*") if path.suffix in (".sh", ".sbatch")]
        self.assertGreaterEqual(len(scripts), 5)
        self.expect(run(tool("shellcheck"), *scripts), 0)

    def test_no_script_names_a_place_of_one_machine(self):
        for path in DEPLOY.rglob("*"):
            if path.is_file():
                self.assertNotRegex(path.read_text(), r"/(work|home|root)/", path)

    def test_the_container_file_passes_its_linter(self):
        self.expect(run(tool("hadolint"), DEPLOY / "Containerfile"), 0)

    def test_what_the_container_file_copies_is_there(self):
        copied = re.findall(r"^COPY (?!--from)(.+)$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
        sources = [source for line in copied for source in line.split()[:-1]]
        self.assertIn("Sources", sources)
        for source in sources:
            self.assertTrue((ROOT / source).exists(), f"COPY {source}: it is not there")

    def packages(self):
        """Packages of Debian that the last stage installs."""
        text = (DEPLOY / "Containerfile").read_text().rpartition("\nFROM ")[2].replace("\\\n", " ")
        return set(re.search(r"--no-install-recommends(.*?)&&", text).group(1).split())

    def debian_12(self):
        release = pathlib.Path("/etc/os-release")
        if not (release.exists() and 'VERSION_ID="12"' in release.read_text() and shutil.which("apt-cache")):
            self.skipTest("this is not Debian 12, whose packages the container file names")

    def test_packages_of_the_container_file_exist(self):
        self.debian_12()
        text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
        named = {name for line in re.findall(r"--no-install-recommends(.*?)&&", text) for name in line.split()}
        known = re.findall(r"^Package: (.+)$", run("apt-cache", "show", "--no-all-versions", *sorted(named)).stdout, re.MULTILINE)
        self.assertEqual(named - set(known), set(), "there are no such packages")

    def test_the_image_has_every_library_and_word_list(self):
        self.debian_12()
        if not PROGRAM.exists():
            self.skipTest(f"{PROGRAM} is not built")
        files = [PROGRAM, PROGRAM.with_name("talaria"), *(ROOT / ".deps/openvino/libs").glob("*.so*")]
        told = run("readelf", "-d", *[file for file in files if file.exists()]).stdout
        libraries = set(re.findall(r"\(NEEDED\).*\[(.+)\]", told))
        own = {file.name for file in (ROOT / ".deps/openvino/libs").iterdir()}
        # Of the images of Swift, and of Debian's smallest system.
        given = {"libc6", "libgcc-s1", "libstdc++6"}
        swift = ("libswift", "libFoundation", "lib_Foundation", "libBlocksRuntime", "libdispatch")
        wanted = {library for library in libraries - own if not library.startswith(swift)}
        found = [line.split(": ") for line in run("dpkg", "-S", *[f"*/{library}" for library in wanted]).stdout.splitlines()]
        for library in sorted(wanted):
            owners = {line[0].split(":")[0] for line in found if line[-1].endswith(f"/{library}")}
            self.assertTrue(owners & (self.packages() | given), f"no package of the image has {library}; it is of {sorted(owners)}")
        lists = re.search(r"^dictionaries=\((.*)\)$", (ROOT / "scripts/setup.sh").read_text(), re.MULTILINE).group(1).split()
        self.assertLessEqual(set(lists), self.packages(), "scripts/setup.sh installs other word lists")

    def test_the_workflow_is_one(self):
        file = DEPLOY / "ci-matrix.yml"
        self.expect(run(tool("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", file), 0)
        text = file.read_text()
        parts = re.search(r"part: \[(.+)\]", text).group(1).split(", ")
        self.assertEqual(parts, [str(place) for place in range(1, int(re.search(r"PARTS: (\d+)", text).group(1)) + 1)])
        self.assertNotIn("\t", text)


class Kubernetes(DeployTest):
    ARGUMENTS = ("--parts", "4", "--image", "i", "--", "--dataset", "/data/d")

    def validate(self, *files):
        return run(tool("kubernetes-validate"), "--strict", "--kubernetes-version", "1.33", *files)

    def load(self, name):
        """A manifest as the schema's own reader has it."""
        python = pathlib.Path(tool("kubernetes-validate")).with_name("python")
        code = "import sys,yaml,json; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))"
        return json.loads(run(python, "-c", code, DEPLOY / "kubernetes" / name).stdout)

    def test_jobs_fit_the_schema(self):
        self.expect(self.validate(DEPLOY / "kubernetes/parts.yaml", DEPLOY / "kubernetes/merge.yaml"), 0, "passed")

    def test_the_schema_finds_a_slip(self):
        for good, slip in [("backoffLimitPerIndex", "backoffLimitPerIndexes"), ("action: FailIndex", "action: [FailIndex]")]:
            text = (DEPLOY / "kubernetes/parts.yaml").read_text()
            self.assertIn(good, text)
            file = self.folder / "slip.yaml"
            file.write_text(text.replace(good, slip))
            self.assertNotEqual(self.validate(file).returncode, 0, slip)

    def test_what_the_schema_does_not_say(self):
        job = self.load("parts.yaml")["spec"]
        pod = job["template"]["spec"]
        [container] = pod["containers"]
        environment = {one["name"]: one for one in container["env"]}
        self.assertEqual(job["completionMode"], "Indexed")
        self.assertEqual(environment["PARTS"]["value"], str(job["completions"]))
        self.assertEqual(environment["SPINEBENCH_HOST"]["valueFrom"]["fieldRef"]["fieldPath"], "spec.nodeName")
        # What the API server demands beyond the schema.
        self.assertEqual(pod["restartPolicy"], "Never")
        self.assertLessEqual(job["maxFailedIndexes"], job["completions"])
        self.assertEqual(
            [(rule["action"], rule.get("onExitCodes", {}).get("values")) for rule in job["podFailurePolicy"]["rules"]],
            [("Ignore", None), ("FailIndex", [2])]
        )
        for name in ["parts.yaml", "merge.yaml"]:
            spec = self.load(name)["spec"]["template"]["spec"]
            volumes = {volume["name"] for volume in spec["volumes"]}
            self.assertEqual({mount["name"] for mount in spec["containers"][0]["volumeMounts"]}, volumes)
            for rule in self.load(name)["spec"]["podFailurePolicy"]["rules"]:
                if "onExitCodes" in rule:
                    self.assertEqual(rule["onExitCodes"]["containerName"], spec["containers"][0]["name"])

    def pod(self, job, volume, index=None):
        """Runs the command of a job's pod here, with the folder in the place of its volume."""
        [container] = job["spec"]["template"]["spec"]["containers"]
        environment = {one["name"]: one.get("value", "node-1") for one in container.get("env", [])}
        environment["SPINEBENCH_CACHE"] = str(self.folder / "cache")
        if index is not None:
            environment["JOB_COMPLETION_INDEX"] = str(index)

        def filled(text):
            # As Kubernetes does: $(NAME) is a variable, $$ a dollar, and what is no variable stays.
            def one(match):
                return "$" if match.group(0) == "$$" else environment.get(match.group(1), match.group(0))
            text = re.sub(r"\$\$|\$\(([A-Za-z_][A-Za-z0-9_]*)\)", one, text)
            return text.replace("/data/", f"{volume}/", 1) if text.startswith("/data/") else text
        environment = {name: filled(value) for name, value in environment.items()}
        words = [filled(word) for word in [*container["command"], *container.get("args", [])]]
        self.script("spinebench", f'exec "{PROGRAM}" "$@"\n')
        shutil.copy(DEPLOY / "merge.sh", self.folder / "bin/merge.sh")
        environment["SPINEBENCH"] = "spinebench"
        return run(*words, environment=self.with_scripts(**environment))

    def jobs_of_run_sh(self, *arguments):
        if shutil.which("kubectl") is None:
            self.skipTest("there is no kubectl")
        done = run(DEPLOY / "kubernetes/run.sh", "--print", *arguments)
        if "this kubectl does not know" in done.stdout:
            self.skipTest("this kubectl is older than what the jobs need")
        self.expect(done, 0)
        file = self.folder / "jobs.yaml"
        file.write_text(done.stdout)
        self.expect(self.validate(file), 0)
        python = pathlib.Path(tool("kubernetes-validate")).with_name("python")
        code = "import sys,yaml,json; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))"
        return json.loads(run(python, "-c", code, file).stdout)

    def test_pods_commands_make_the_run_in_one_piece(self):
        volume = self.folder / "volume"
        shutil.copytree(ROOT / "Datasets/spines-1", volume / HOSTILE / "data")
        parts, merge = self.jobs_of_run_sh(
            "--parts", "3", "--image", "registry/spinebench:1", "--out", f"/data/{HOSTILE}/run", "--claim", "pictures",
            "--name", "night", "--", "--dataset", f"/data/{HOSTILE}/data", *READ
        )
        self.assertEqual((parts["spec"]["completions"], parts["spec"]["parallelism"]), (3, 3))
        self.assertEqual((parts["metadata"]["name"], merge["metadata"]["name"]), ("night-parts", "night-merge"))
        for job in [parts, merge]:
            claims = [volume.get("persistentVolumeClaim") for volume in job["spec"]["template"]["spec"]["volumes"]]
            self.assertIn({"claimName": "pictures"}, claims)
        for index in [2, 0, 1]:
            self.expect(self.pod(parts, volume, index), 0, f"Part {index + 1}/3 is finished")
        self.expect(self.pod(merge, volume), 0)
        self.expect(self.pod(merge, volume), 0)
        one = self.folder / "one"
        run(PROGRAM, "run", "--dataset", volume / HOSTILE / "data", *READ, "--devices", "none", "--out", one)
        self.assertEqual(readings(volume / HOSTILE / "run/merged"), readings(one))
        first = json.loads((volume / HOSTILE / "run/parts/1/samples.jsonl").read_text().splitlines()[0])
        self.assertTrue(first["machine"].startswith("node-1 ("), first["machine"])

    def test_an_index_that_does_not_fit_ends_with_2(self):
        job = self.load("parts.yaml")
        self.expect(self.pod(job, self.folder / "volume", index=8), 2)

    def stand_in(self, state):
        """A kubectl that has a cluster told by files: what is 'created', and how jobs end."""
        self.jobs_of_run_sh(*self.ARGUMENTS)
        real = shutil.which("kubectl")
        cluster = self.folder / "cluster"
        cluster.mkdir(exist_ok=True)
        self.script("kubectl", f"""
cluster='{cluster}'
printf '%s\\n' "$*" >>"$cluster/calls"
case "$1" in
patch) exec {real} "$@" ;;
create) text=$(cat); name=$(sed -n 's/^  name: //p' <<<"$text" | head -n 1); printf '%s\\n' "$text" >"$cluster/$name" ;;
wait) [[ {state} == Complete ]] && exit 0; sleep 0.2; exit 1 ;;
get) if [[ $* == *ignore-not-found* ]]; then [[ ! -e $cluster/$3 ]] || echo "job/$3"
  elif [[ {state} == Failed ]]; then echo 'True Job has exceeded the specified maximal number of failed indexes 0,3'
  else echo ' '; fi ;;
esac
""")
        return cluster

    def test_run_sh_submits_the_merge_after_the_parts(self):
        cluster = self.stand_in("Complete")
        self.expect(run(DEPLOY / "kubernetes/run.sh", *self.ARGUMENTS, environment=self.with_scripts()), 0, "/data/run/merged")
        calls = [call for call in (cluster / "calls").read_text().splitlines() if call.startswith(("create", "wait"))]
        self.assertEqual([call.split()[0] for call in calls], ["create", "wait", "create", "wait"])
        self.assertIn("job/spinebench-parts", calls[1])
        self.assertTrue((cluster / "spinebench-merge").exists())
        self.expect(
            run(DEPLOY / "kubernetes/run.sh", *self.ARGUMENTS, environment=self.with_scripts()), 0, "is there already"
        )

    def test_run_sh_tells_a_failure_and_merges_nothing(self):
        cluster = self.stand_in("Failed")
        self.expect(
            run(DEPLOY / "kubernetes/run.sh", *self.ARGUMENTS, environment=self.with_scripts()), 1,
            "maximal number of failed indexes 0,3", "kubectl logs"
        )
        self.assertFalse((cluster / "spinebench-merge").exists())

    def test_run_sh_refuses(self):
        if shutil.which("kubectl") is None:
            self.skipTest("there is no kubectl")
        for words, text in [
            (["--parts", "0", "--image", "i", "--", "--dataset", "d"], "whole number of 1 or more"),
            (["--parts", "2", "--image", "i"], "no data specified"),
            (["--parts", "2", "--", "--dataset", "d"], "--image"),
            (["--parts", "2", "--image", "i", "--out", "/tmp/x", "--", "--dataset", "d"], "/data"),
            (["--parts", "2", "--image", "i", "--", "--part", "1/2"], "set by this script"),
            (["--part", "2"], "unknown option"),
        ]:
            self.expect(run(DEPLOY / "kubernetes/run.sh", *words), 2, text)


class Slurm(DeployTest):
    """What submit.sh asks of Slurm; slurm_test.py has a real one do it."""

    def submit(self, *words):
        self.script("sbatch", f"printf '%s\\0' \"$@\" >>'{self.folder}/calls'; printf '\\n' >>'{self.folder}/calls'; echo '7;cluster'\n")
        self.script("spinebench", "exit 0\n")
        return run(
            DEPLOY / "slurm/submit.sh", "--program", self.folder / "bin/spinebench", *words, environment=self.with_scripts()
        )

    def test_two_jobs_are_submitted(self):
        out = self.folder / "50% of it"
        done = self.submit(
            "--array", "1,3,5-9:2%2", "--out", out, "--only", "9", "--sbatch", "--partition=a b", "--", "--dataset", "d d"
        )
        self.expect(done, 0, "array 7: parts 9 of 1,3,5-9:2", "merge 7")
        array, merge = [line.split("\0")[:-1] for line in (self.folder / "calls").read_text().splitlines()]
        self.assertIn("--array=9", array)
        self.assertIn(f"--output={self.folder}/50%% of it/logs/%A_%a.log", array)
        self.assertIn("--partition=a b", array)
        script = array.index(str(DEPLOY / "slurm/array.sbatch"))
        self.assertEqual(
            array[script + 1:], ["1,3,5-9:2", str(out), str(self.folder / "bin/spinebench"), "--dataset", "d d"]
        )
        self.assertIn("--dependency=afterok:7", merge)
        self.assertIn("--kill-on-invalid-dep=yes", merge)

    def test_refusals(self):
        for words, text in [
            (["--array", "1-", "--out", "o", "--", "--dataset", "d"], "invalid array"),
            (["--array", "1,3", "--only", "x", "--out", "o", "--", "--dataset", "d"], "invalid array"),
            (["--array", "1-4", "--out", "o"], "no data specified"),
            (["--array", "1-4", "--", "--dataset", "d"], "--out"),
            (["--array", "1-4", "--out", "o", "--", "--dataset", "d", "--part", "1/4"], "set by this script"),
            (["--array", "1-4", "--out", "o", "--dataset", "d"], "follow --"),
            (["--array", "1-4", "--out"], "needs a value"),
        ]:
            self.expect(self.submit(*words), 2, text)
        self.assertFalse((ROOT / "o").exists())


class Xargs(DeployTest):
    """The recipe of Docs/MANY-MACHINES.md for one machine."""

    def recipe(self, spinebench):
        self.script("spinebench", f"""
[[ $1 == run ]] || exec '{PROGRAM}' "$@"
place=$(sed 's/.* --part \\([0-9]*\\).*/\\1/' <<<"$*")
echo >>'{self.folder}'/calls-$place
calls=$(wc -l <'{self.folder}'/calls-$place)
{spinebench}
exec '{PROGRAM}' "$@" --limit 60 --repetitions 1
""")
        for name, target in (("D", ROOT / "Datasets/spines-1"), ("Deploy", DEPLOY)):
            (self.folder / name).symlink_to(target)
        [text] = re.findall(r"^    export PARTS.*?merge\.sh \"\$OUT\"$", (DEPLOY.parent / "Docs/MANY-MACHINES.md").read_text(), re.DOTALL | re.MULTILINE)
        # Under load, processes may measure different precisions of a network to be the fastest.
        text = text.replace("fast,threads=1", "tesseract")
        done = run("bash", "-c", text, environment=self.with_scripts(SPINEBENCH="spinebench"), cwd=self.folder)
        calls = {place: len((self.folder / f"calls-{place}").read_text()) for place in range(1, 9)}
        return done, {place: count for place, count in calls.items() if count > 1}

    def test_a_crash_and_exit_code_4_are_tried_again(self):
        done, again = self.recipe("[[ $calls$place != 12 ]] || kill -SEGV $$; [[ $calls$place != 13 ]] || exit 4")
        self.expect(done, 0)
        self.assertEqual(again, {2: 2, 3: 2})
        run(PROGRAM, "run", "--dataset", self.folder / "D", "--variants", "tesseract", "--limit", "60", "--repetitions", "1",
            "--devices", "none", "--out", self.folder / "one")
        self.assertEqual(readings(self.folder / "DIR/merged"), readings(self.folder / "one"))

    def test_what_cannot_succeed_is_not_tried_again_nor_merged(self):
        done, again = self.recipe("[[ $place != 2 ]] || exit 2; [[ $place != 3 ]] || exit 4; exit 0")
        self.assertEqual((done.returncode, again), (123, {3: 3}), done.stdout)
        self.assertFalse((self.folder / "DIR/merged").exists())


if __name__ == "__main__":
    unittest.main()
