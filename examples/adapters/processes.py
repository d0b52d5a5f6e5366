#!/usr/bin/env python3
"""A batch system of this machine as an adapter of Stint: a queue of scripts, first come, first served.

    processes.py DIRECTORY [PROCS]

Its jobs continue when the adapter ends; what it knows of them is in DIRECTORY, one file each.
"""
import json
import os
import signal
import subprocess
import sys
import time

DIRECTORY = sys.argv[1]
PROCS = int(sys.argv[2]) if len(sys.argv) > 2 else os.cpu_count() or 1


class Refused(Exception):
    """Nothing was done, and asking again would not help."""


def path(job):
    return os.path.join(DIRECTORY, f"{job}.json")


def write(record):
    draft = path(record["job"]) + ".new"
    with open(draft, "w") as file:
        json.dump(record, file)
    os.replace(draft, path(record["job"]))


def records():
    found = []
    for name in os.listdir(DIRECTORY):
        if name.endswith(".json"):
            with open(os.path.join(DIRECTORY, name)) as file:
                found.append(json.load(file))
    return sorted(found, key=lambda record: record["submittedAt"])


def begun(pid):
    """When a process began, in ticks since the start of the machine; None: it has ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def advance():
    """Forgets what has ended, and starts what waits and fits."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                break
        except ChildProcessError:
            break
    free = PROCS
    waiting = []
    for record in records():
        if record["state"] == "running":
            if begun(record["pid"]) == record["begun"]:
                free -= record["procs"]
            else:
                os.remove(path(record["job"]))
        elif record["state"] == "waiting":
            waiting.append(record)
    for record in waiting:
        if record["procs"] > free:
            break
        child = subprocess.Popen(
            ["bash", record["script"]],
            cwd=record["directory"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        write({**record, "state": "running", "pid": child.pid, "begun": begun(child.pid), "startedAt": time.time()})
        free -= record["procs"]


def find(request):
    for record in records():
        if record["key"] == request["key"]:
            return record
    return None


def describe(_):
    return {"protocol": 1, "procs": PROCS, "verbs": ["hold", "release", "signal"]}


def snapshot(_):
    advance()
    shown = ("job", "key", "state", "procs", "submittedAt", "startedAt", "limitSec")
    return {"jobs": [{name: record[name] for name in shown if name in record} for record in records()]}


def submit(request):
    if request["procs"] > PROCS:
        raise Refused(f"it has {PROCS} processors")
    known = find(request)
    if known is None:
        known = {name: request[name] for name in ("key", "script", "directory", "procs", "limitSec")}
        known.update(job=request["key"][1:], state="waiting", submittedAt=time.time())
        write(known)
    advance()
    return {"job": known["job"]}


def cancel(request):
    record = find(request)
    if record is None:
        return {}
    if record["state"] == "running":
        send(record, signal.SIGTERM)
    else:
        os.remove(path(record["job"]))
    return {}


def change(request, before, after):
    record = find(request)
    if record is not None and record["state"] == before:
        write({**record, "state": after})
    return {}


def send(record, number):
    if begun(record["pid"]) == record["begun"]:
        os.kill(record["pid"], number)


def pass_signal(request):
    record = find(request)
    if record is not None and record["state"] == "running":
        send(record, getattr(signal, "SIG" + request["signal"]))
    return {}


VERBS = {
    "describe": describe,
    "snapshot": snapshot,
    "submit": submit,
    "cancel": cancel,
    "hold": lambda request: change(request, "waiting", "held"),
    "release": lambda request: change(request, "held", "waiting"),
    "signal": pass_signal,
}

os.makedirs(DIRECTORY, exist_ok=True)
for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"ok": VERBS[request["verb"]](request)}
    except Refused as error:
        answer = {"error": str(error), "kind": "refused"}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
