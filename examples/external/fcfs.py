#!/usr/bin/env python3
"""First come, first served, as a program for `stint sim --discipline exec:...`.

The whole of the protocol: a line of JSON comes in, a line of JSON goes out.
It equals the built-in `--discipline fcfs` job for job. It knows no reservations.
"""

import json
import sys
from collections import deque


def main():
    free = 0
    queue = deque()  # jobs that wait, in order of submission
    running = {}  # id -> processors

    for line in sys.stdin:
        message = json.loads(line)
        answer = {}

        if message["kind"] == "hello":
            free = message["pools"][0]["procs"]
            answer["protocol"] = 1

        elif message["kind"] == "instant":
            for event in message["events"]:
                if event["kind"] == "submitted":
                    queue.append(event)
                elif event["kind"] == "ended":
                    free += running.pop(event["id"])

            start = []
            while queue and queue[0]["procs"] <= free:
                job = queue.popleft()
                free -= job["procs"]
                running[job["id"]] = job["procs"]
                start.append(job["id"])
            answer["start"] = start

        else:  # goodbye: nobody reads an answer
            break

        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
