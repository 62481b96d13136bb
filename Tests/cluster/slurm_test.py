#!/usr/bin/env python3
"""Runs Deploy/slurm on a real Slurm: one controller and three nodes' daemons on this machine, all in one temporary folder.

An array with gaps is submitted; two of its tasks are killed with SIGKILL in the middle of their reading and restarted, a node
is drained meanwhile, and the merge that waits for the array has to give the bytes of a run in one piece. Then what is submitted
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


def expect(condition, otherwise):
    if not condition:
        raise Failure(otherwise)


def command(*arguments, seconds=30, check=True, **options):
    """Runs a program to its end, in the project's folder, and gives its output with its errors."""
    words = [str(argument) for argument in arguments]
    try:
        done = subprocess.run(
            words, check=False, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=seconds, **options
        )
    except subprocess.TimeoutExpired as late:
        raise Failure(f"{' '.join(words)}: not done after {seconds} s") from late
    if check and done.returncode != 0:
        raise Failure(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done


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
    """The process that reads the shard of this folder."""
    for process, _, words in processes():
        if "run" in words and "--shard" in words and str(folder) in words and "spinebench" in words[0]:
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
            command("apt-get", "update", "-qq", seconds=120, check=False, env=environment)
            command(
                "apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES, seconds=240, env=environment
            )
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
    daemons = [["slurmctld", "-D", "-i"], *[["slurmd", "-D", "-N", node] for node in NODES]]
    running = []
    try:
        for words in daemons:
            log = (folder / f"{words[-1].strip('-')}.out").open("w")
            running.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
        def idle():
            for words, process in zip(daemons, running):
                if process.poll() is not None:
                    log = folder / ("slurmctld.log" if words[0] == "slurmctld" else f"{words[-1]}.log")
                    told = log.read_text().splitlines()[-3:] if log.exists() else []
                    raise Failure(f"{' '.join(words)} ended at once with {process.returncode}: {' / '.join(told)}")
            states = command("sinfo", "-h", "-N", "-o", "%T", check=False, seconds=10)
            return states.stdout.split() == ["idle"] * len(NODES)
        wait_for("three idle nodes", 30, idle)
        yield
    finally:
        with contextlib.suppress(Failure):
            command("scancel", "--user=root", check=False, seconds=10)
        end_descendants()
        del os.environ["SLURM_CONF"]


def jobs(number):
    """What Slurm says of a job, or of each task of an array, by its own words."""
    told = command("scontrol", "show", "job", "--oneliner", number, check=False).stdout
    lines = [line for line in told.splitlines() if line.startswith("JobId=")]
    return [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]


def task(array, index):
    """What Slurm says of one task; nothing where it does not tell tasks apart yet."""
    found = [job for job in jobs(f"{array}_{index}") if job.get("ArrayTaskId") == str(index)]
    return found[0] if found else collections.defaultdict(str)


def node_state(node):
    told = command("scontrol", "show", "node", "--oneliner", node).stdout
    return dict(word.split("=", 1) for word in told.split() if "=" in word)["State"]


def ended(out, number, seconds):
    """The job, or the tasks of the array, when none of them waits or runs."""
    def look():
        found = jobs(number)
        over = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")
        return found if found and all(job["JobState"] in over for job in found) else None
    try:
        return wait_for(f"job {number}", seconds, look)
    except Failure as late:
        states = [f"{job['JobId']} {job['JobState']} ({job.get('Reason')})" for job in jobs(number)]
        running = [" ".join(words) for process, _, words in processes() if process in descendants()]
        raise Failure("\n".join([f"{late}; Slurm says: {', '.join(states)}", *running, logs(out)])) from late


def submit(out, *options, read=READ):
    """Numbers of the array and of the merge."""
    told = command("bash", SUBMIT, "--array", ",".join(map(str, INDEXES)), "--out", out, "--program", program, *options, "--", *read).stdout
    numbers = [line.split()[1].rstrip(":") for line in told.splitlines() if line.startswith(("array ", "merge "))]
    expect(len(numbers) == 2, f"submit.sh does not say two jobs:\n{told}")
    return numbers


def logs(out):
    return "".join(f"-- {log.name}\n{log.read_text()}" for log in sorted((out / "logs").glob("*")))


# What is shown


def record(out, index):
    return json.loads((out / f"shards/{index}/shard.json").read_text())


def same_bytes(out, one):
    for name in ["accuracy.json", "accuracy.csv"]:
        expect(
            (out / "merged" / name).read_bytes() == (one / name).read_bytes(),
            f"{name} of the merged run is not that of the run in one piece"
        )


def kill(out, array, index, before=lambda node: None):
    """Ends a task's program with SIGKILL after three readings; gives how many it had, and its node."""
    folder = out / f"shards/{index}"
    readings = folder.with_name(f"{index}.part") / "samples.jsonl"

    def begun():
        return reader_of(folder) if readings.exists() and readings.read_bytes().count(b"\n") >= 3 else None
    process = wait_for(f"three readings of task {index}", 60, begun, every=0.02)
    # Stopped first, so that it does not end while Slurm is told about the node.
    os.kill(process, signal.SIGSTOP)
    kept = readings.read_bytes().count(b"\n")
    node = task(array, index)["NodeList"]
    before(node)
    os.kill(process, signal.SIGKILL)
    at_once(array, index)
    return node, kept


def at_once(array, index):
    """Slurm lets what is restarted wait for two minutes, which nobody here has use for."""
    def waits():
        told = task(array, index)
        return (told["JobState"], told["Reason"], told["Restarts"]) == ("PENDING", "BeginTime", "1")
    # Not sooner: a task whose first start is not cleared away yet would be started into it.
    wait_for(f"a restart of task {index}", 30, waits)
    time.sleep(1)

    def begun():
        if not waits():
            return True
        command("scontrol", "update", f"jobid={array}_{index}", "starttime=now", check=False)
        return False
    wait_for(f"task {index} to begin again", 30, begun, every=1)


def check_array(out, one):
    array, merge = submit(out)
    step(f"array {array} of {','.join(map(str, INDEXES))} and merge {merge} are submitted")
    drain = lambda node: command("scontrol", "update", f"nodename={node}", "state=drain", "reason=test")
    kills = {}
    for index in VICTIMS:
        node, kept = kills[index] = kill(out, array, index, drain if index == VICTIMS[0] else lambda node: None)
        drained = kills[VICTIMS[0]][0]
        step(f"task {index} was killed on {node} after {kept} readings{', and the node is drained' if node == drained else ''}")

    tasks = ended(out, array, 90)
    expect(all(told["ExitCode"] == "0:0" for told in tasks), f"not every task ended with 0:\n{logs(out)}")
    step(f"all {len(tasks)} tasks have ended with 0")
    last = ended(out, merge, 60)[0]
    expect(last["JobState"] == "COMPLETED", f"the merge is {last['JobState']}:\n{logs(out)}")
    same_bytes(out, one)
    step("the dependent job has merged them: accuracy.json and accuracy.csv are those of the run in one piece")

    restarts = {int(told["ArrayTaskId"]): int(told["Restarts"]) for told in tasks}
    expect(restarts == {index: int(index in VICTIMS) for index in INDEXES}, f"restarts by task: {restarts}")
    for index in INDEXES:
        attempts = record(out, index)["attempts"]
        machines = [attempt["machine"] for attempt in attempts]
        expect(len(attempts) == 1 + restarts[index], f"shard {index} has {len(attempts)} attempts: {attempts}")
        if index in VICTIMS:
            node, kept = kills[index]
            expect(machines[0] == node, f"the first attempt of {index} was on {machines[0]}, and Slurm said {node}")
            expect(attempts[1]["recordsBefore"] >= kept, f"{attempts[1]['recordsBefore']} readings of {kept} were kept")
    machines = [attempt["machine"] for attempt in record(out, VICTIMS[0])["attempts"]]
    expect(drained not in machines[1:], f"task {VICTIMS[0]} began again on {drained}, which was drained")
    report = json.loads((out / "merged/report.json").read_text())
    nodes = sorted({attempt["machine"] for shard in report["shards"]["parts"] for attempt in shard["attempts"]})
    expect(len(nodes) >= 2 and set(nodes) <= set(NODES), f"report.json names the machines {nodes}")
    # A merged run is a run: targets decide what the gate answers, not the way it was read.
    answers = [subprocess.run([program, "gate", run, "--baseline", "none"], stdout=subprocess.DEVNULL).returncode for run in [out / "merged", one]]
    expect(answers[0] == answers[1], f"the gate answers {answers[0]} for the merged run, and {answers[1]} for one piece")
    expect("DRAIN" in node_state(drained), f"{drained} is {node_state(drained)}")
    step(
        f"shards {VICTIMS} have two attempts each and kept what was read; {VICTIMS[0]} was read on {' and '.join(machines)}, "
        f"and report.json names {', '.join(nodes)}"
    )
    return drained, nodes


def check_again(out, one):
    before = {index: (out / f"shards/{index}/shard.json").read_bytes() for index in INDEXES}
    array, merge = submit(out)
    tasks = ended(out, array, 60)
    expect(all(told["ExitCode"] == "0:0" for told in tasks), f"not every finished shard ended with 0:\n{logs(out)}")
    for index in INDEXES:
        expect((out / f"shards/{index}/shard.json").read_bytes() == before[index], f"shard {index} was changed")
        told = (out / f"logs/{array}_{index}.log").read_text()
        expect("nothing to do" in told, f"task {index} does not report that there is nothing to do:\n{told}")
    expect(ended(out, merge, 60)[0]["JobState"] == "COMPLETED", f"the second merge failed:\n{logs(out)}")
    same_bytes(out, one)
    step("submitted again, finished shards do nothing, and the merge gives the same bytes")


def check_refusal(out):
    array, merge = submit(out, "--only", "5", read=["--dataset", "Datasets/none", "--variants", "tesseract"])
    told = ended(out, array, 60)[0]
    expect(told["ExitCode"] == "2:0", f"a missing dataset ends with {told['ExitCode']}, and not with 2:\n{logs(out)}")
    expect(told["Restarts"] == "0", f"exit code 2 was retried {told['Restarts']} times")
    state = ended(out, merge, 60)[0]["JobState"]
    expect(state == "CANCELLED", f"the merge of a failed array is {state}")
    step("what cannot succeed ends with 2, is not restarted, and takes its merge with it")


def check_cancelled(out):
    array, merge = submit(out, "--only", "3")
    readings = out / "shards/3.part/samples.jsonl"
    wait_for("a reading", 60, readings.exists, every=0.05)
    command("scancel", array)
    told = ended(out, array, 60)[0]
    expect((told["JobState"], told["Restarts"]) == ("CANCELLED", "0"), f"a cancelled task is {told['JobState']}:\n{logs(out)}")
    expect(ended(out, merge, 60)[0]["JobState"] == "CANCELLED", "the merge of a cancelled array goes on")
    expect(readings.exists(), "a cancelled task has lost its readings")
    step("a task that is cancelled in the middle of its reading does not come back")


def check_restarts(out, folder):
    # Ends with 4 until it was called so often.
    stub = folder / "ends-with-4"
    stub.write_text('#!/bin/sh\nn=$(cat "$0.calls" 2>/dev/null || echo 0)\necho $((n + 1)) >"$0.calls"\nexit 4\n')
    stub.chmod(0o755)
    os.environ["SPINEBENCH_RESTARTS"] = "1"
    array, _ = submit(out, "--only", "9", "--program", stub)
    del os.environ["SPINEBENCH_RESTARTS"]
    at_once(array, 9)
    told = ended(out, array, 90)[0]
    calls = int(pathlib.Path(f"{stub}.calls").read_text())
    expect(
        (told["ExitCode"], told["Restarts"], calls) == ("4:0", "1", 2),
        f"exit code 4 with one restart: {told['ExitCode']}, {told['Restarts']} restarts, {calls} calls\n{logs(out)}"
    )
    step("exit code 4 is restarted as often as allowed, and no more")


def throughput(folder, program):
    """Readings a second and core of one, two and three nodes' processes at once, by the clock and by the processor's time.

    All read the same shard, so that they have the same work; the better of two rounds of each. Where others compute as well, the
    clock counts them in, and the processor's time does not.
    """
    cores = len(os.sched_getaffinity(0))
    best, cpu = {}, {}
    for turn in range(2):
        for count in [1, 2, 3]:
            out = folder / f"speed-{turn}-{count}"
            running = [
                subprocess.Popen(
                    [
                        "srun", "--quiet", f"--nodelist={node}", "--ntasks=1", "--cpus-per-task=2", str(program), "run",
                        "--dataset", "Datasets/spines-1", "--variants", "tesseract", "--limit", "120", "--repetitions", "1",
                        "--shard", "1/3", "--out", str(out / str(place))
                    ],
                    cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                for place, node in enumerate(NODES[:count], start=1)
            ]
            for process in running:
                expect(process.wait(60) == 0, f"one of {count} processes at once ended with {process.returncode}")
            total, used, number = 0, 0, 0
            for place in range(1, count + 1):
                lines = (out / str(place) / "samples.jsonl").read_text().splitlines()
                readings = [json.loads(line) for line in lines]
                total += len(readings) / max(reading["atSeconds"] + reading["milliseconds"] / 1000 for reading in readings)
                used += sum(reading["prediction"]["cpuMilliseconds"] for reading in readings)
                number += len(readings)
            best[count] = max(best.get(count, 0), total / min(count, cores))
            cpu[count] = min(cpu.get(count, float("inf")), used / number)
    for count in [1, 2, 3]:
        step(
            f"{count} at once on {cores} cores: {best[count]:.1f} readings a second and core "
            f"({best[count] / best[1]:.2f} of one alone), {cpu[count]:.1f} ms of processor a reading ({cpu[1] / cpu[count]:.2f})"
        )


def main():
    global program
    program = pathlib.Path(os.environ.get("SPINEBENCH") or ROOT / ".build/release/spinebench").absolute()
    expect(os.access(program, os.X_OK), f"{program} is not a program; run 'make build', or set SPINEBENCH to its path")
    install()
    signal.alarm(LIMIT)
    adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="spinebench-slurm-") as name:
        folder = pathlib.Path(name)
        one = folder / "one"
        done = command(program, "run", *READ, "--devices", "none", "--out", one, seconds=120, check=False)
        expect(done.returncode in (0, 1, 3), f"the run in one piece ended with {done.returncode}:\n{done.stdout}")
        step("the run in one piece is read")
        with cluster(folder):
            step("slurmctld and three slurmd answer")
            # Of a name that scripts and Slurm could trip over.
            out = folder / "out of 100%j, a 'run'"
            drained, nodes = check_array(out, one)
            check_again(out, one)
            check_cancelled(folder / "cancelled")
            check_refusal(out)
            check_restarts(out, folder)
            command("scontrol", "update", f"nodename={drained}", "state=resume")
            wait_for(f"{drained} in service", 20, lambda: node_state(drained) == "IDLE")
            step(f"{drained} is in service again")
            throughput(folder, program)
    step(
        f"PASS  an array with gaps on {len(nodes)} nodes, two tasks killed and restarted, one node drained: the same "
        "bytes as in one piece"
    )


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
