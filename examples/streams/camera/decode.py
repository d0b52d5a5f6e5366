#!/usr/bin/env python3
"""First stage of a pipeline: decodes a block of rows of hexadecimal samples into bytes."""
import json
import os
import sys

results = os.environ["STINT_STREAM_RESULTS"]
for line in sys.stdin:
    block = json.loads(line)
    name = f"decoded-{block['seq']}"
    with open(block["path"]) as rows, open(os.path.join(results, name), "wb") as output:
        output.write(bytes.fromhex(rows.read()))
    print(json.dumps({"kind": "ack", "seq": block["seq"], "results": [name]}), flush=True)
