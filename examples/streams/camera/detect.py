#!/usr/bin/env python3
"""Last stage of a pipeline: counts the bright samples of a decoded block."""
import json
import os
import sys

results = os.environ["STINT_STREAM_RESULTS"]
for line in sys.stdin:
    block = json.loads(line)
    with open(block["path"], "rb") as samples:
        bright = sum(sample > 200 for sample in samples.read())
    name = f"bright-{block['seq']}.json"
    with open(os.path.join(results, name), "w") as output:
        json.dump({"block": block["seq"], "bright": bright}, output)
    print(json.dumps({"kind": "ack", "seq": block["seq"], "results": [name]}), flush=True)
