/** The reservations file: columns, numbers, and every way to get them wrong. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { Fault } from "../base/index.ts";
import { parseReservationsCsv, readReservationsCsv } from "./reservations-csv.ts";

const directory = mkdtempSync(join(tmpdir(), "stint-csv-"));
afterAll(() => rmSync(directory, { recursive: true }));

const header = "id,start,duration,procs\n";
const parse = (text: string) => parseReservationsCsv(text, "r.csv");

function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("a Fault was expected");
}

describe("what is read", () => {
  const expected = [{ id: "r1", startMs: 3_600_000, durationMs: 7_200_500, procs: 64, line: 2 }];
  it.each([
    ["FO-19 as documented", `${header}r1,3600,7200.5,64\n`],
    ["FO-19 without a last line end", `${header}r1,3600,7200.5,64`],
    ["FO-19 with CRLF and a byte order mark", `\uFEFF${header.trim()}\r\nr1,3600,7200.5,64\r\n`],
    ["FO-19 with blanks", " id , start , duration , procs \n r1 , 3600 ,\t7200.500 , 64 \n"],
    ["FO-19 in another order and case", "Procs,ID,Duration,Start\n64,r1,7200.5,3600\n"],
    ["FO-19 in quotes", '"id","start","duration","procs"\n"r1" , "3600","7200.5",64\n'],
    ["FO-19 without names", "\nr1,3600,7200.5,64\n"],
    ["FO-19 with superfluous decimals", `${header}r1,3600.0000,7200.50000,64\n \t\n`],
  ])("%s", (_, text) => {
    expect(parse(text)).toEqual(expected);
  });

  it.each([
    ["FO-19 an empty file", ""],
    ["FO-19 only a header", header],
  ])("%s has no rows", (_, text) => {
    expect(parse(text)).toEqual([]);
  });

  it("FO-19 a quoted id may hold commas and quotes", () => {
    expect(parse(`${header}"a, ""b""",0,1,1\n`)[0]?.id).toBe('a, "b"');
  });

  it("FO-19 a column nodes is optional, and so is each of its fields", () => {
    const rows = parse("id,nodes,start,duration,procs\na,2,0,1,8\nb,,0,1,5\n");
    expect(rows.map(({ nodes }) => nodes)).toEqual([2, undefined]);
    expect(parse("nodes,0,1,8\n")[0]).toMatchObject({ id: "nodes", procs: 8 });
  });

  it("FO-19 times are exact to the millisecond", () => {
    const ms = fc.integer({ min: 1, max: 2 ** 50 });
    fc.assert(
      fc.property(ms, ms, (startMs, durationMs) => {
        const seconds = (value: number) =>
          `${Math.floor(value / 1000)}.${String(value % 1000).padStart(3, "0")}`;
        const [row] = parse(`${header}x,${seconds(startMs)},${seconds(durationMs)},1`);
        expect(row).toMatchObject({ startMs, durationMs });
      }),
    );
  });

  it("FO-19 any text is read or refused with its position", () => {
    const part = fc.constantFrom(
      "id",
      "start",
      "duration",
      "procs",
      ",",
      '"',
      "\n",
      " ",
      "1",
      "2.5",
      "x",
      "\r",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        try {
          parse(parts.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
          expect(String(error)).toMatch(/r\.csv:\d+:\d+: /);
        }
      }),
      draws(2000),
    );
  });
});

describe("what is refused", () => {
  it.each([
    ["FO-19 a missing column", "id,start,procs\na,1,1", "1:1: missing column duration", "csvColumns"],
    [
      "FO-19 an unknown column",
      "id,start,duration,procs,memory\n",
      '1:25: unknown column "memory"',
      "csvColumns",
    ],
    ["FO-19 a repeated column", "id,start,duration,procs,id\n", '1:25: repeated column "id"', "csvColumns"],
    ["FO-19 a missing field", `${header}a,1,2\n`, "2:5: found 3 of 4 fields", "csvFieldCount"],
    ["FO-19 a field too many", `${header}a,1,2,3,4\n`, "2:9: found 5 of 4 fields", "csvFieldCount"],
    ["FO-19 an open quote", `${header}"a,1,2,3\n`, "2:1: an unexpected double quote", "csvQuote"],
    ["FO-19 text after a quote", `${header}a,"1"x,2,3\n`, "2:3: an unexpected double quote", "csvQuote"],
    ["FO-19 a quote inside a field", `${header}a,1"2,2,3\n`, "2:3: an unexpected double quote", "csvQuote"],
    ["FO-19 a word as start", `${header}a,soon,2,3\n`, '2:3: bad start "soon"', "csvNumber"],
    ["FO-19 a header of unknown names", "name,begin,length,cpus\n", '1:6: bad start "begin"', "csvNumber"],
    ["FO-19 a negative start", `${header}a,-5,2,3\n`, '2:3: bad start "-5"', "csvNumber"],
    ["FO-19 an exponent", `${header}a,1e5,2,3\n`, '2:3: bad start "1e5"', "csvNumber"],
    ["FO-19 a fraction of a millisecond", `${header}a,0.0001,2,3\n`, '2:3: bad start "0.0001"', "csvNumber"],
    ["FO-19 no duration", `${header}a,1,,3\n`, '2:5: bad duration ""', "csvNumber"],
    ["FO-19 a zero duration", `${header}a,1,0.000,3\n`, '2:5: bad duration "0.000"', "csvNumber"],
    ["FO-19 a negative duration", `${header}a,1,-2,3\n`, '2:5: bad duration "-2"', "csvNumber"],
    ["FO-19 an endless duration", `${header}a,1,${"9".repeat(16)},3\n`, "2:5: bad duration", "csvNumber"],
    ["FO-19 half a processor", `${header}a,1,2,2.5\n`, '2:7: bad procs "2.5"', "csvNumber"],
    [
      "FO-19 half a node",
      "id,start,duration,procs,nodes\na,1,2,3,0.5\n",
      '2:9: bad nodes "0.5"',
      "csvNumber",
    ],
    ["FO-19 unequal parts", "id,start,duration,procs,nodes\na,1,2,3,2\n", '2:9: bad nodes "2"', "csvNumber"],
    ["FO-19 no processors", `${header}a,1,2,0\n`, '2:7: bad procs "0"', "csvNumber"],
    [
      "FO-19 an id twice",
      `${header}a,1,2,3\nb,1,2,3\n a,4,5,6\n`,
      '4:2: the id "a" is used',
      "csvDuplicateId",
    ],
    ["FO-19 an empty id", `${header},1,2,3\n`, '2:1: "" is not an id', "csvId"],
    ["FO-19 a control character in an id", `${header}a\u001bb,1,2,3\n`, '2:1: "a\\x1bb" is not', "csvId"],
  ])("%s", (_, text, what, code) => {
    const fault = faultOf(() => parse(text));
    expect(fault).toMatchObject({ kind: "badInput", code });
    expect(fault.what).toContain(`r.csv:${what}`);
    expect(fault.remedy).toContain("id,start,duration,procs");
  });

  it("FO-19 100,000 rows are read, one more is refused", () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `${index},0,1,1\n`).join("");
    expect(parse(header + rows)).toHaveLength(100_000);
    expect(faultOf(() => parse(`${header}${rows}more,0,1,1\n`)).code).toBe("csvTooLarge");
  });
});

describe("files", () => {
  function stored(name: string, bytes: string | Uint8Array): string {
    const file = join(directory, name);
    writeFileSync(file, bytes);
    return file;
  }

  it("FO-19 a file, packed or not", async () => {
    const text = `${header}a,0,1,1\n`;
    expect(await readReservationsCsv(stored("a.csv", text))).toHaveLength(1);
    expect(await readReservationsCsv(stored("a.csv.gz", gzipSync(text)))).toHaveLength(1);
  });

  it.each([
    ["FO-19 more than 16 MiB", "big.csv.gz", gzipSync(Buffer.alloc(17 * 1024 * 1024, 10)), "csvTooLarge"],
    ["FO-19 bytes that are no text", "odd.csv", Uint8Array.of(0xff, 0xfe, 0x41), "csvNotText"],
  ])("%s", async (_, name, bytes, code) => {
    await expect(readReservationsCsv(stored(name, bytes))).rejects.toMatchObject({ kind: "badInput", code });
  });

  it("a missing file", async () => {
    const file = join(directory, "absent.csv");
    await expect(readReservationsCsv(file)).rejects.toMatchObject({ kind: "badInput" });
  });
});
