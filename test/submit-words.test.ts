/** Jobs submitted without a description, as users of sbatch do, on a real broker. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { liveSetting } from "./live-setting.ts";

const kinds = [
  { kind: "this machine", site: "  - { name: here, type: managed, procs: 2 }" },
  { kind: "a cluster", site: "  - { name: far, type: simulated, procs: 2, jobs: run }" },
];

describe.each(kinds)("submitted by words to $kind", ({ site }) => {
  const { ask, folder, until } = liveSetting([site]);
  const outputOf = (id: string): string => ask("logs", id).out;
  const submitted = (...words: string[]): string => {
    const { out, err, code } = ask("submit", ...words);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return out.trim();
  };

  it("a script is sent along and run with its arguments, options of its own included", async () => {
    const script = join(folder, "run.sh");
    writeFileSync(script, '#!/bin/sh\necho "$0 got $# words: $*" > result.txt\necho "$COLOUR"\n');
    const words = ["--name", "night", "--env", "COLOUR=red", "--output-file", "result.txt", "run.sh"];
    const id = submitted("-n", "1", "-t", "1m", ...words, "-n", "two words");
    writeFileSync(script, "#!/bin/sh\necho changed since\n");
    await until(id, "DONE");
    expect(outputOf(id)).toBe("red\n");
    expect(ask("output", id, "--to", "home").code).toBe(0);
    expect(readFileSync(join(folder, "home", "result.txt"), "utf8")).toMatch(
      /run\.sh got 2 words: -n two words\n$/,
    );
    expect(ask("status", id).out).toMatch(/^name +night$/m);
  });

  it("a command reads --stdin and runs in --workdir; its output comes home all the same", async () => {
    mkdirSync(join(folder, "place"), { recursive: true });
    writeFileSync(join(folder, "names.txt"), "b\na\n");
    const id = submitted(
      "--stdin",
      "names.txt",
      "--workdir",
      "place",
      "--",
      "sh",
      "-c",
      "sort; pwd; : > left-here",
    );
    await until(id, "DONE");
    expect(outputOf(id)).toBe(`a\nb\n${realpathSync(join(folder, "place"))}\n`);
    expect(readFileSync(join(folder, "place", "left-here"), "utf8")).toBe("");
  });

  it("a working directory that is not there is the reason of the job's end", async () => {
    const id = submitted("--workdir", "/no/such/place", "--", "true");
    await until(id, "ABORTED");
    expect(ask("status", id).out).toMatch(/reason .*working directory.*does not exist/);
  });

  it("a script for Slurm runs as it is, in the directory of submission, and brings its output", async () => {
    const lines = ["#SBATCH -J night -n 2 --time=5", "#SBATCH -o night-%j.txt --export=WORD=sorted"];
    const body = 'echo "$1 $WORD $SLURM_NTASKS $SLURM_SUBMIT_DIR"; pwd; cat names.txt\n#SBATCH -n 64';
    writeFileSync(join(folder, "job.sh"), `#!/bin/sh\n${lines.join("\n")}\n#SBATCH --switches=1\n${body}\n`);
    const { out, err } = ask("submit", "job.sh", "first");
    expect(err).toMatch(/^stint: warning: job\.sh:4: #SBATCH --switches=1 is not translated: .*\n$/);
    const id = out.trim();
    await until(id, "DONE");
    const here = realpathSync(folder);
    expect(outputOf(id)).toBe(
      `first sorted 2 ${here}\n${here}\n${readFileSync(join(folder, "names.txt"), "utf8")}`,
    );
    expect(JSON.parse(ask("status", id, "-o", "json").out)).toMatchObject({ name: "night", procs: 2 });
  });

  it("a script beside descriptions is refused, and nothing is submitted", () => {
    writeFileSync(join(folder, "job.yaml"), "executable: hostname\n");
    writeFileSync(join(folder, "late.sh"), "#!/bin/sh\ntrue\n");
    const before = ask("list", "-o", "name").out;
    const { code, err } = ask("submit", "job.yaml", "late.sh");
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("late.sh is a script") });
    expect(ask("list", "-o", "name").out).toBe(before);
  });
});
