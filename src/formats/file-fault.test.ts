/** The words for what the system says; those that a test cannot provoke as root. */
import { describe, expect, it } from "vitest";
import { Fault } from "../base/index.ts";
import { readFault, writeFault } from "./file-fault.ts";

const systemError = (code: string) => Object.assign(new Error(`${code}: said the system`), { code });

describe("faults of the system", () => {
  it.each([
    ["EACCES", "notAllowed", "fileNotReadable"],
    ["EPERM", "notAllowed", "fileNotReadable"],
    ["ENOENT", "badInput", "fileNotFound"],
    ["EISDIR", "badInput", "isDirectory"],
    ["ELOOP", "badInput", "badFileName"],
    ["EIO", "failed", "readFailed"],
  ])("reading: %s is %s %s", (code, kind, expected) => {
    const fault = readFault(systemError(code), "a.swf");
    expect(fault).toMatchObject({ kind, code: expected, what: "cannot read a.swf" });
    expect(fault.why.length * fault.remedy.length).toBeGreaterThan(0);
  });

  it.each([
    ["EACCES", "notAllowed", "fileNotWritable"],
    ["EROFS", "notAllowed", "fileNotWritable"],
    ["ENOENT", "badInput", "directoryNotFound"],
    ["ENOSPC", "failed", "diskFull"],
    ["EDQUOT", "failed", "diskFull"],
    ["EPIPE", "failed", "outputClosed"],
    ["EIO", "failed", "writeFailed"],
  ])("writing: %s is %s %s", (code, kind, expected) => {
    expect(writeFault(systemError(code), "a.swf")).toMatchObject({ kind, code: expected });
  });

  it("a Fault passes through; any other error keeps its message", () => {
    const fault = new Fault({ kind: "refused", code: "x", what: "w", why: "y", remedy: "r" });
    expect(writeFault(fault, "a")).toBe(fault);
    expect(readFault(fault, "a")).toBe(fault);
    expect(readFault("odd", "a").why).toBe("odd");
  });
});
