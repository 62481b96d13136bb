#!/usr/bin/env python3
"""Runs Deploy/slurm on a real Slurm: one controller and three nodes' daemons on this machine, all in one temporary folder.

An array with gaps is submitted; two of its tasks are killed with SIGKILL in the middle of their reading and restarted, a node
is drained meanwhile, and the merge that waits for the array has to give the readings of a run in one piece. Then what is submitted
again, cancelled, refused, and what fails as often as it may.

SPINEBENCH names the program (.build/release/spinebench). Installs Debian's packages of Slurm where it may; where it may not,
it says why and ends with 0. Every wait has a limit, and every process that was started is ended, however this ends.
"""

import collections
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUBMIT = ROOT / "Deploy/slurm/submit.sh"
PACKAGES = ["slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins"]
PROGRAMS = ["slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "srun", "scancel"]
NODES = ["d1", "d2", "d3"]
INDEXES = [1, 3, 5, 9]
# The tasks that are killed. Number 3 is the second of the array: whoever took an index for a place would be found out. The last
# one has the number of the whole array as its own: whoever restarted that number would restart all of them.
VICTIMS = [3, 9]
READ = ["--dataset", "Datasets/spines-1", "--variants", "tesseract", "--limit", "60", "--repetitions", "2"]
# All of it after the installation, in seconds: some six times what it takes on two busy cores.
LIMIT = 400

start = time.monotonic()
program = None


class Failure(Exception):
    """What was expected and is not so, in one line."""


class Skip(Exception):
    """Why this cannot run here."""


def step(text):
    print(f"{time.monotonic() - start:6.1f} s  {text}", flush=True)


def expect(found, wanted, what):
    if found != wanted:
        raise Failure(f"{what}: {found!r}, and not {wanted!r}")


def command(*arguments, seconds=30, codes=(0,), **options):
    """Runs a program to its end, in the project's folder, and gives its output with its errors."""
    words = [str(argument) for argument in arguments]
    try:
        done = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=seconds, **options)
    except subprocess.TimeoutExpired as late:
        raise Failure(f"{' '.join(words)}: not done after {seconds} s") from late
    if codes and done.returncode not in codes:
        raise Failure(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def wait_for(what, seconds, look, every=0.2):
    """The first thing that `look` gives which is not false."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(every)
    raise Failure(f"{what}: not so after {seconds} s")


# Processes


def adopt_orphans():
    """Has orphans of what is started here become children of this process, which can then end all of them by their ids."""
    adopting = 36  # PR_SET_CHILD_SUBREAPER
    ctypes.CDLL(None, use_errno=True).prctl(adopting, 1, 0, 0, 0)


def processes():
    """Id, parent and arguments of every process."""
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            yield int(folder.name), parent, (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")


def descendants():
    children = collections.defaultdict(list)
    for process, parent, _ in processes():
        children[parent].append(process)
    found, open_ends = [], [os.getpid()]
    while open_ends:
        below = children[open_ends.pop()]
        found += below
        open_ends += below
    return found


def end_descendants():
    for number, seconds in [(signal.SIGTERM, 5), (signal.SIGKILL, 5)]:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            left = descendants()
            if not left:
                return
            for process in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)
            time.sleep(0.1)


def reader_of(folder):
    """The process that reads the part of this folder."""
    for process, _, words in processes():
        if "run" in words and "--part" in words and str(folder) in words and "spinebench" in words[0]:
            return process
    return None


# Slurm


def install():
    if sys.platform != "linux":
        raise Skip("Slurm's daemons need Linux")
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        named = f"{', '.join(missing)} of Debian's {', '.join(PACKAGES)}"
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            raise Skip(f"{named} are not installed, and only root on Debian may do that")
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        step(f"installing {' '.join(PACKAGES)}")
        try:
            command("apt-get", "update", "-qq", seconds=120, codes=None, env=environment)
            command("apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES, seconds=240, env=environment)
        except Failure as failure:
            reason = [line for line in str(failure).splitlines() if line.strip()][-1]
            raise Skip(f"{named} could not be installed: {reason}") from failure
    if os.geteuid() != 0:
        raise Skip("slurmd starts jobs as root alone, and this is not root")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def configuration(folder, ports):
    host = socket.gethostname().split(".")[0]
    nodes = "\n".join(
        f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=4000 State=UNKNOWN"
        for node, port in zip(NODES, ports[1:])
    )
    # No key and no credentials: everybody who reaches the ports is root here, so that they are on the loopback alone.
    # 'config_overrides' has each node have its own two cores, whatever the machine has.
    return f"""
ClusterName=spines
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=root
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/%n.pid
SlurmdLogFile={folder}/%n.log
SlurmdSpoolDir={folder}/spool.%n
{nodes}
PartitionName=spines Nodes={','.join(NODES)} Default=YES MaxTime=INFINITE State=UP
"""


@contextlib.contextmanager
def cluster(folder):
    """A Slurm that answers; gone with all its jobs afterwards."""
    for name in ["state", *[f"spool.{node}" for node in NODES]]:
        (folder / name).mkdir()
    file = folder / "slurm.conf"
    file.write_text(configuration(folder, free_ports(1 + len(NODES))))
    os.environ["SLURM_CONF"] = str(file)
    for name in [name for name in os.environ if name.startswith(("SBATCH_", "SLURM_")) and name != "SLURM_CONF"]:
        del os.environ[name]
    daemons = {"slurmctld": ["slurmctld", "-D", "-i"], **{node: ["slurmd", "-D", "-N", node] for node in NODES}}
    running = {}
    try:
        for name, words in daemons.items():
            running[name] = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def idle():
            for name, process in running.items():
                if process.poll() is not None:
                    log = folder / f"{name}.log"
                    raise Failure(f"{name} ended at once with {process.returncode}: {log.read_text()[-300:] if log.exists() else 'no log'}")
            return command("sinfo", "-h", "-N", "-o", "%T", codes=None, seconds=10).split() == ["idle"] * len(NODES)

        wait_for("three idle nodes", 30, idle)
        yield
    finally:
        with contextlib.suppress(Failure):
            command("scancel", "--user=root", codes=None, seconds=10)
        end_descendants()
        del os.environ["SLURM_CONF"]


def told(*words):
    """What Slurm says of jobs or nodes, by its own words."""
    lines = command("scontrol", "show", "--oneliner", *words, codes=None).splitlines()
    return [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines if "=" in line]


def task(array, index):
    """What Slurm says of one task; nothing where it does not tell tasks apart yet."""
    found = [job for job in told("job", f"{array}_{index}") if job.get("ArrayTaskId") == str(index)]
    return found[0] if found else collections.defaultdict(str)


def node_state(node):
    return told("node", node)[0]["State"]


def ended(out, number, state, code=None, restarts=None):
    """The job, or the tasks of the array, none of which waits or runs any longer; all have the state, the code and the restarts."""
    over = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")

    def look():
        found = told("job", number)
        return found if found and all(job.get("JobState") in over for job in found) else None

    try:
        found = wait_for(f"job {number}", 90, look)
        for job in found:
            for name, wanted in (("JobState", state), ("ExitCode", code), ("Restarts", restarts)):
                expect(job[name], wanted or job[name], f"{name} of job {job['JobId']}")
        return found
    except Failure as failure:
        states = [f"{job['JobId']} {job['JobState']} ({job.get('Reason')})" for job in told("job", number)]
        logs = [f"-- {log.name}\n{log.read_text()}" for log in sorted((out / "logs").glob("*"))]
        raise Failure("\n".join([f"{failure}; Slurm says: {', '.join(states)}", *logs])) from failure


def submit(out, *options, read=READ):
    """Numbers of the array and of the merge."""
    said = command("bash", SUBMIT, "--array", ",".join(map(str, INDEXES)), "--out", out, "--program", program, *options, "--", *read)
    array, merge = [line.split()[1].rstrip(":") for line in said.splitlines() if line.startswith(("array ", "merge "))]
    return array, merge


# What is shown


def lines(out, index, name):
    return [json.loads(line) for line in (out / f"parts/{index}/{name}.jsonl").read_text().splitlines()]


def machines_of(out, index):
    return [one["machine"].split(" (")[0] for one in lines(out, index, "samples")]


def readings(folder):
    """What a run read, in its order: the same of a run in one piece and of its merged parts."""
    found = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    keys = ("measurement", "repetition", "position", "id", "outcome", "score")
    return [[one.get(key) for key in keys] + [[line["text"] for line in (one.get("prediction") or {}).get("lines", [])]] for one in found]


def merged(out, merge, one):
    ended(out, merge, "COMPLETED")
    expect(readings(out / "merged") == readings(one), True, "the merged run has the readings of one piece")


def kill(out, array, index, drains):
    """Ends a task's program with SIGKILL after three readings; gives how many it had, and its node."""
    folder = out / f"parts/{index}"
    readings = folder / "samples.jsonl"
    process = wait_for(f"three readings of task {index}", 60, lambda: readings.exists() and readings.read_bytes().count(b"\n") >= 3
                       and reader_of(folder), every=0.02)
    # Stopped first, so that it does not end while Slurm is told about the node.
    os.kill(process, signal.SIGSTOP)
    kept, node = readings.read_bytes().count(b"\n"), task(array, index)["NodeList"]
    if drains:
        command("scontrol", "update", f"nodename={node}", "state=drain", "reason=test")
    os.kill(process, signal.SIGKILL)
    step(f"task {index} was killed on {node} after {kept} readings{', and the node is drained' * drains}")
    at_once(array, index)
    return node, kept


def at_once(array, index):
    """Slurm lets what is restarted wait for two minutes, which nobody here has use for."""
    def waits():
        job = task(array, index)
        return (job["JobState"], job["Reason"], job["Restarts"]) == ("PENDING", "BeginTime", "1")

    # Not sooner: a task whose first start is not cleared away yet would be started into it.
    wait_for(f"a restart of task {index}", 30, waits)
    time.sleep(1)

    def begun():
        if waits():
            command("scontrol", "update", f"jobid={array}_{index}", "starttime=now", codes=None)
            return False
        return True

    wait_for(f"task {index} to begin again", 30, begun, every=1)


def check_array(out, one):
    array, merge = submit(out)
    step(f"array {array} of {','.join(map(str, INDEXES))} and merge {merge} are submitted")
    kills = {index: kill(out, array, index, drains=index == VICTIMS[0]) for index in VICTIMS}
    drained = kills[VICTIMS[0]][0]
    tasks = ended(out, array, "COMPLETED", "0:0")
    step(f"all {len(tasks)} tasks have ended with 0")
    merged(out, merge, one)
    step("the dependent job has merged them: its readings and scores are those of the run in one piece")
    restarts = {int(job["ArrayTaskId"]): int(job["Restarts"]) for job in tasks}
    expect(restarts, {index: int(index in VICTIMS) for index in INDEXES}, "restarts by task")
    for index in INDEXES:
        starts = [event for event in lines(out, index, "events") if event["kind"] in ("runStarted", "runResumed")]
        expect(len(starts), 1 + restarts[index], f"starts of part {index}")
        if index in VICTIMS:
            node, kept = kills[index]
            expect(set(machines_of(out, index)[:kept]), {node}, f"machine of the {kept} readings of part {index} that were kept")
    expect(drained in machines_of(out, VICTIMS[0])[kills[VICTIMS[0]][1]:], False, f"task {VICTIMS[0]} began again on {drained}, which was drained")
    report = json.loads((out / "merged/report.json").read_text())
    nodes = {one["machine"].split(" (")[0] for one in report["measurements"][0]["machines"]}
    expect(len(nodes) >= 2 and nodes <= set(NODES), True, f"report.json names the machines {nodes}")
    # A merged run is a run: targets decide what the gate answers, not the way it was read.
    answers = [subprocess.run([program, "gate", run, "--baseline", "none"], stdout=subprocess.DEVNULL).returncode for run in [out / "merged", one]]
    expect(answers[0], answers[1], "the gate's answer for the merged run")
    expect("DRAIN" in node_state(drained), True, f"{drained} is drained")
    step(f"parts {VICTIMS} were started twice and kept what was read; report.json names {', '.join(sorted(nodes))}")
    return drained


def check_again(out, one):
    before = {index: (out / f"parts/{index}/events.jsonl").read_bytes() for index in INDEXES}
    array, merge = submit(out)
    ended(out, array, "COMPLETED", "0:0")
    for index in INDEXES:
        expect((out / f"parts/{index}/events.jsonl").read_bytes() == before[index], True, f"part {index} is as it was")
        expect("nothing to do" in (out / f"logs/{array}_{index}.log").read_text(), True, f"task {index} reports that there is nothing to do")
    merged(out, merge, one)
    step("submitted again, finished parts do nothing, and the merge gives the same readings")


def check_refusal(out):
    array, merge = submit(out, "--only", "5", read=["--dataset", "Datasets/none", "--variants", "tesseract"])
    ended(out, array, "FAILED", "2:0", "0")
    ended(out, merge, "CANCELLED")
    step("what cannot succeed ends with 2, is not restarted, and takes its merge with it")


def check_cancelled(out):
    array, merge = submit(out, "--only", "3")
    readings = out / "parts/3/samples.jsonl"
    wait_for("a reading", 60, readings.exists, every=0.05)
    command("scancel", array)
    ended(out, array, "CANCELLED", restarts="0")
    ended(out, merge, "CANCELLED")
    expect(readings.exists(), True, "a cancelled task keeps its readings")
    step("a task that is cancelled in the middle of its reading does not come back")


def check_restarts(out, folder):
    stub = folder / "ends-with-4"
    stub.write_text('#!/bin/sh\necho >>"$0.calls"\nexit 4\n')
    stub.chmod(0o755)
    os.environ["SPINEBENCH_RESTARTS"] = "1"
    array, _ = submit(out, "--only", "9", "--program", stub)
    del os.environ["SPINEBENCH_RESTARTS"]
    at_once(array, 9)
    ended(out, array, "FAILED", "4:0", "1")
    expect(len(pathlib.Path(f"{stub}.calls").read_text()), 2, "calls of a program that ends with 4 and may be restarted once")
    step("exit code 4 is restarted as often as allowed, and no more")


def throughput(folder):
    """Readings a second and core of one, two and three nodes' processes at once, by the clock and by the processor's time.

    All read the same part, so that they have the same work; the better of two rounds of each. Where others compute as well, the
    clock counts them in, and the processor's time does not.
    """
    cores = len(os.sched_getaffinity(0))
    best, cpu = {}, {}
    for turn, count in [(turn, count) for turn in range(2) for count in [1, 2, 3]]:
        places = {node: folder / f"speed-{turn}-{count}-{node}" for node in NODES[:count]}
        running = [subprocess.Popen(
            ["srun", "--quiet", f"--nodelist={node}", "--ntasks=1", "--cpus-per-task=2", program, "run", *READ[:4], "--limit", "120",
             "--repetitions", "1", "--part", "1/3", "--out", out],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for node, out in places.items()]
        expect([process.wait(60) for process in running], [0] * count, "exit codes of processes at once")
        runs = [[json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()] for out in places.values()]
        speed = sum(len(run) / max(one["atSeconds"] + one["milliseconds"] / 1000 for one in run) for run in runs) / min(count, cores)
        used = [one["prediction"]["cpuMilliseconds"] for run in runs for one in run]
        best[count] = max(best.get(count, 0), speed)
        cpu[count] = min(cpu.get(count, float("inf")), sum(used) / len(used))
    for count in best:
        step(f"{count} at once on {cores} cores: {best[count]:.1f} readings a second and core ({best[count] / best[1]:.2f} of one alone), "
             f"{cpu[count]:.1f} ms of processor a reading ({cpu[1] / cpu[count]:.2f})")


def main():
    global program
    program = pathlib.Path(os.environ.get("SPINEBENCH") or ROOT / ".build/release/spinebench").absolute()
    if not os.access(program, os.X_OK):
        raise Failure(f"{program} is not a program; run 'make build', or set SPINEBENCH to its path")
    install()
    signal.alarm(LIMIT)
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="spinebench-slurm-") as name:
        folder = pathlib.Path(name)
        one = folder / "one"
        command(program, "run", *READ, "--devices", "none", "--out", one, seconds=120, codes=(0, 1, 3))
        step("the run in one piece is read")
        with cluster(folder):
            step("slurmctld and three slurmd answer")
            # Of a name that scripts and Slurm could trip over.
            out = folder / "out of 100%j, a 'run'"
            drained = check_array(out, one)
            check_again(out, one)
            check_cancelled(folder / "cancelled")
            check_refusal(out)
            check_restarts(out, folder)
            command("scontrol", "update", f"nodename={drained}", "state=resume")
            wait_for(f"{drained} in service", 20, lambda: node_state(drained) == "IDLE")
            step(f"{drained} is in service again")
            throughput(folder)
    step("PASS  an array with gaps, two tasks killed and restarted, one node drained: the readings of one piece")


def stop(number, _):
    raise Failure(f"not done after {LIMIT} s" if number == signal.SIGALRM else f"stopped by signal {number}")


if __name__ == "__main__":
    for number in [signal.SIGALRM, signal.SIGTERM, signal.SIGINT]:
        signal.signal(number, stop)
    try:
        main()
    except Skip as reason:
        print(f"SKIP  {reason}")
    except Failure as failure:
        print(f"FAIL  {failure}")
        sys.exit(1)
