import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addEvent, emptyBook, statusOf } from "../../bookkeeping/index.ts";
import { type JobEvent, readEventFile } from "./read-file.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-events-"));

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const JOB = "https://lb.example.org:9000/x67qr549qc";

/** @param code counters of UI, NS, WM, JSS, LM, LRMS */
function line(source: string, kind: string, code: string, facts = ""): string {
  const [ui, ns, wm, jss, lm, lrms] = code.split(" ");
  const seq = `UI=${ui}:NS=${ns}:WM=${wm}:BH=0:JSS=${jss}:LM=${lm}:LRMS=${lrms}:APP=0:LBS=0`;
  return (
    `DATE=20060831150159.702224 HOST="h.example" PROG=edg-wms LVL=USAGE DG.SOURCE="${source}" ` +
    `DG.EVNT="${kind}" DG.JOBID="${JOB}" DG.SEQCODE="${seq}" ` +
    `DG.USER="/C=CZ/CN=A \\"B\\"" ${facts}`
  );
}

const status = (events: readonly JobEvent[]) => statusOf(events.reduce(addEvent, emptyBook));

const LIFE = [
  line("UserInterface", "RegJob", "2 0 0 0 0 0", 'DG.REGJOB.JOBTYPE="SIMPLE" DG.REGJOB.PARENT=""'),
  line("NetworkServer", "Accepted", "3 1 0 0 0 0", 'DG.ACCEPTED.FROM="UserInterface"'),
  line("WorkloadManager", "Match", "3 1 1 0 0 0", 'DG.MATCH.DEST_ID="elm.example/long"'),
  line("WorkloadManager", "EnQueued", "3 1 2 0 0 0", 'DG.ENQUEUED.RESULT="OK"'),
  line("JobController", "Transfer", "3 1 2 1 0 0", 'DG.TRANSFER.RESULT="OK"'),
  line("LRMS", "Running", "3 1 2 1 0 1", 'DG.RUNNING.NODE="n7"'),
  line("LogMonitor", "Accepted", "3 1 2 1 1 0"),
  line("LogMonitor", "Transfer", "3 1 2 1 2 0", 'DG.TRANSFER.RESULT="OK"'),
];
const DONE = line("LogMonitor", "Done", "3 1 2 1 3 0", 'DG.DONE.STATUS_CODE="OK" DG.DONE.EXIT_CODE="3"');
const LATE = line("LRMS", "Running", "3 1 2 1 0 2", 'DG.RUNNING.NODE="n7"');

describe("event lines", () => {
  it("FO-150 a line is read with its job, component, code, time and facts", async () => {
    const [first] = await readEventFile(fileOf("one.log", `${LIFE[5]}\n`));
    expect(first).toEqual({
      ...{ job: JOB, source: "LRMS", kind: "Running", code: [3, 1, 2, 0, 1, 0, 1, 0, 0] },
      ...{ atMs: Date.UTC(2006, 7, 31, 15, 1, 59, 702), facts: { NODE: "n7" } },
    });
  });

  it.each([
    ["its life so far: it runs, whatever the queue reports later", LIFE, { state: "RUNNING", node: "n7" }],
    ["its end", [...LIFE, DONE], { state: "DONE", exitCode: 3, destination: "elm.example/long" }],
    ["its end, and a report of its start that comes late", [...LIFE, DONE, LATE], { state: "DONE" }],
    [
      "its files removed",
      [...LIFE, DONE, line("NetworkServer", "Clear", "9 9 0 0 0 0", 'DG.CLEAR.REASON="USER"')],
      {
        ...{ state: "CLEARED", exitCode: 3 },
      },
    ],
  ])("the state follows, forwards and backwards: %s", async (_, lines, expected) => {
    const events = await readEventFile(fileOf("life.log", `# a comment\n\n${lines.join("\n")}\n`));
    expect(status(events)).toMatchObject(expected);
    expect(status([...events].reverse())).toEqual(status(events));
  });

  it.each([
    ["no field", "what is this", "is no field of the form NAME=value"],
    ["no job", 'DG.EVNT="Done"', "it has no DG.JOBID"],
    ["no code", (LIFE[0] ?? "").replace("UI=2", "UI=x"), "is no sequence code"],
    ["a component of another world", (LIFE[0] ?? "").replace("UserInterface", "Daemon"), "is no component"],
    ["no date", (LIFE[0] ?? "").replace("2006", "then"), "is not of the form"],
  ])("FO-150 what is no event is refused with its line: %s", async (_, text, why) => {
    const file = fileOf("bad.log", `${DONE}\n${text}\n`);
    await expect(readEventFile(file)).rejects.toMatchObject({
      ...{ kind: "badInput", code: "eventLineUnreadable", why: expect.stringContaining(why) },
      what: `${file}:2:1: this line is not an event`,
    });
  });
});

describe("scripts of an event logger", () => {
  fileOf(
    "queued.l",
    '-s NetworkServer, -e Accepted, --from="a, b"\n-s WorkloadManager, -e Match, --dest_id="${CE:-elm}"\n',
  );

  it("FO-151 scripts beside it are taken in, and variables are put in", async () => {
    const text =
      "# sample\n! CE=oak\n:queued:\n-s WorkloadManager, -e EnQueued, --result OK\n" +
      '-s LRMS, -e Running, --node="$CE-1"\n';
    const events = await readEventFile(fileOf("begun.l", text));
    expect(events.map(({ kind }) => kind)).toEqual(["RegJob", "Accepted", "Match", "EnQueued", "Running"]);
    expect(status(events)).toMatchObject({ state: "RUNNING", destination: "oak", node: "oak-1" });
    expect(status(await readEventFile(join(folder, "queued.l")))).toMatchObject({ destination: "elm" });
  });

  it("FO-151 a program seen to run in an earlier branch decides, until the job is resubmitted", async () => {
    const again = (result: string, site: string) =>
      "-s LogMonitor, -e Done, --status_code=FAILED\n-s LogMonitor, -e EnQueued, --result=OK\n" +
      `-s WorkloadManager, -e Resubmission, --result=${result}\n` +
      `-s WorkloadManager, -e Match, --dest_id=${site}\n` +
      `-s WorkloadManager, -e EnQueued, --result=OK\n-s LogMonitor, -e Running, --node=${site}-n\n`;
    const twice =
      ":queued:\n-s WorkloadManager, -e EnQueued, --result=OK\n-s LogMonitor, -e Running, --node=elm-n\n" +
      `! SEEN="$EDG_WL_SEQUENCE"\n${again("SHALLOW", "oak")}` +
      `-s LogMonitor, -e ReallyRunning, --wn_seq="$SEEN"\n`;
    expect(status(await readEventFile(fileOf("twice.l", twice)))).toMatchObject({
      ...{ state: "RUNNING", destination: "elm", node: "elm-n", isPayloadRunning: true },
      possibleDestinations: ["elm", "oak"],
    });
    const thrice = twice + again("WILLRESUB", "ash");
    expect(status(await readEventFile(fileOf("thrice.l", thrice)))).toMatchObject({
      ...{ state: "RUNNING", destination: "ash", node: "ash-n", isPayloadRunning: false },
      possibleDestinations: ["ash"],
    });
  });

  it.each([
    ["round.l", ":round:\n", "more than 20 deep"],
    ["gone.l", ":nowhere:\n", "there is no script nowhere.l"],
    ["half.l", "-s LogMonitor, --node=1\n", "-s COMPONENT and -e EVENT"],
  ])("FO-151 %s is refused", async (name, text, why) => {
    await expect(readEventFile(fileOf(name, text))).rejects.toMatchObject({
      why: expect.stringContaining(why),
    });
  });
});
