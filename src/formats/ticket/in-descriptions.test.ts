import { describe, expect, it } from "vitest";
import { readJobYaml } from "../job-yaml/index.ts";
import { fileState } from "../yaml/index.ts";
import { newTicketKey, readPrivateKey, signTicket } from "./index.ts";

const LINE = signTicket(
  {
    ...{ id: "t1", vo: "vo0", site: "site1", consumer: "vo0", resource: "cpu", amountMs: 1000 },
    ...{ fromMs: 0, untilMs: 1, issuedAtMs: 0, expiresAtMs: 1 },
  },
  readPrivateKey(newTicketKey().privateText),
);

function read(line: string) {
  return readJobYaml(`executable: true.sh\nticket: ${line}\n`, { folder: "/", fileState });
}

describe("a ticket in a job description", () => {
  it("FO-107 a ticket is one line", () => {
    expect(read(LINE).jobs[0]?.description.ticket).toBe(LINE);
  });

  it("FO-107 anything else is a problem with its position", () => {
    const { problems, jobs } = read("t.txt");
    expect(jobs).toEqual([]);
    expect(problems).toMatchObject([{ code: "badTicket", line: 2, column: 9 }]);
  });
});
