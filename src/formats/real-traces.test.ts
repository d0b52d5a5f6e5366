/** The archive's logs, where they are (see shared/traces/README.md); skipped elsewhere. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readSwf } from "./swf/read.ts";
import { traceBytes } from "./trace-bytes.ts";

const traces = resolve(import.meta.dirname, "../../../shared/traces");

const logs = [
  {
    name: "CTC-SP2-1996-3.1-cln.swf.gz",
    rows: 77_222,
    lines: 77_251,
    procs: 338,
    startedAt: 835823160,
    first: "1 0 588530 937 306 142 -1 -1 35100 -1 1 97 -1 307 3 -1 -1 -1",
    cpuHundredths: 79_167_064_600,
    sha256: "b0340ab258dbf1be3ad7a2e3a9b6755255b30afbdf7f19071ef35844298d9deb",
  },
  {
    name: "SDSC-SP2-1998-4.2-cln.swf.gz",
    rows: 59_715,
    lines: 59_763,
    procs: 128,
    startedAt: 893466664,
    first: "11 566129 5 28826 1 27758 -1 1 28800 -1 5 153 75 18180 3 -1 -1 -1",
    cpuHundredths: 35_624_947_512,
    sha256: "542411910a45dabaa10a4c7237df39315d24e974b82c0e3a5c811e18585cf35a",
  },
  {
    name: "HPC2N-2002-2.2-cln.swf.gz",
    rows: 202_871,
    lines: 202_902,
    procs: 240,
    startedAt: 1027839845,
    first: "11 342072 32 43306 32 43307 -1 32 43200 -1 1 4 1 -1 -1 1 -1 -1",
    cpuHundredths: 324_994_084_052,
    sha256: "af1f003b962abe2c8269c15a82ab3105ecf5830b8d4ffe8857854b24b7799cbb",
  },
];

describe("logs of the archive", () => {
  for (const log of logs) {
    const file = join(traces, log.name);
    it.skipIf(!existsSync(file))(`FO-5 ${log.name} is read completely`, async () => {
      const trace = traceBytes(file);
      const reader = readSwf(trace, { file, lenient: false });
      let first: string | undefined;
      let cpuHundredths = 0;
      for await (const { count, fields } of reader) {
        first ??= fields.map((column) => column[0]).join(" ");
        for (const cpu of fields[5]?.subarray(0, count) ?? []) cpuHundredths += Math.round(cpu * 100);
      }
      expect(first).toBe(log.first);
      expect(cpuHundredths).toBe(log.cpuHundredths);
      expect(reader).toMatchObject({ rows: log.rows, lines: log.lines, malformed: 0 });
      expect(reader.header).toMatchObject({
        maxProcs: log.procs,
        maxNodes: log.procs,
        unixStartTime: log.startedAt,
      });
      expect(trace.sha256()).toBe(log.sha256);
    });
  }
});
