#!/usr/bin/env python3
"""Shortest job first, with patience: a program for `stint sim --discipline exec:...`.

Of the jobs that fit now, the one with the shortest estimate starts first. That alone would starve wide
and long jobs, so a job that has waited for PATIENCE seconds goes before all others, and while it does not
fit nobody else starts: with no patience at all this is first come, first served. To look again the moment that somebody's patience ends, the
program asks to be woken then. It knows no reservations.

    stint sim examples/poisson.swf --discipline 'exec:python3 examples/external/shortest_first.py 86400'
"""

import json
import sys


class Site:
    def __init__(self, patience):
        self.patience = patience
        self.free = 0
        self.waiting = []  # events `submitted`, each with its instant, in order of submission
        self.running = {}  # id -> processors

    def note(self, event, now):
        if event["kind"] == "submitted":
            self.waiting.append({**event, "since": now})
        elif event["kind"] == "ended":
            self.free += self.running.pop(event["id"])

    def is_impatient(self, job, now):
        return now >= job["since"] + self.patience

    def rank(self, job, now):
        if self.is_impatient(job, now):
            return (0, job["since"])
        return (1, job["estimate"])

    def decide(self, now):
        """The ids that start now, and when to look again."""
        started = []
        for job in sorted(self.waiting, key=lambda job: self.rank(job, now)):
            if job["procs"] <= self.free:
                self.free -= job["procs"]
                self.running[job["id"]] = job["procs"]
                started.append(job["id"])
            elif self.is_impatient(job, now):
                break
        gone = set(started)
        self.waiting = [job for job in self.waiting if job["id"] not in gone]
        ends = (job["since"] + self.patience for job in self.waiting)
        return {"start": started, "wakeAt": min((at for at in ends if at > now), default=None)}


def main():
    site = Site(patience=float(sys.argv[1]) if len(sys.argv) > 1 else 2 * 86400.0)
    for line in sys.stdin:
        message = json.loads(line)
        if message["kind"] == "hello":
            site.free = message["pools"][0]["procs"]
            answer = {"protocol": 1}
        elif message["kind"] == "instant":
            for event in message["events"]:
                site.note(event, message["now"])
            answer = site.decide(message["now"])
        else:
            break
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
