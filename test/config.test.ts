/** The configuration as people meet it: files, variables and flags of a real process. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { type Ran, stint, temporaryFolder } from "./stint.ts";

const folder = temporaryFolder();
const clean = {
  STINT_STATE_DIR: "",
  STINT_CONFIG: "",
  STINT_PORT: "",
  XDG_CONFIG_HOME: join(folder, "none"),
};

function fileOf(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const run = (words: readonly string[], environment: Readonly<Record<string, string>> = {}): Ran =>
  stint(words, folder, { ...clean, XDG_STATE_HOME: join(folder, "xdg"), ...environment });

/** A PATH on which a Slurm controller answers, before everything else. */
function loginNode(): Readonly<Record<string, string>> {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "scontrol"), '#!/bin/sh\necho "Slurmctld(primary) at head is UP"\n', {
    mode: 0o755,
  });
  return { PATH: `${bin}:${process.env.PATH}` };
}

/** The sites that a broker has, `NAME TYPE PROCS` each. */
function sitesOf({ environment }: LiveBroker): string[] {
  const { out } = stint(["site", "list", "-o", "json"], folder, environment);
  const { items } = JSON.parse(out) as {
    items: { name: string; spec: { type: string; procs: number } }[];
  };
  return items.map(({ name, spec }) => `${name} ${spec.type} ${spec.procs}`);
}

async function whileUp(
  state: string,
  words: readonly string[],
  look: (broker: LiveBroker) => void | Promise<void>,
): Promise<void> {
  const broker = await startLiveBroker(join(folder, state), words);
  try {
    await look(broker);
  } finally {
    await broker.end("SIGTERM");
  }
}

describe("a configuration that is wrong", () => {
  it("MA-1 a file that is named and not there stops up, and every command that needs it", () => {
    for (const words of [["up"], ["config", "show"], ["list"]]) {
      const { code, err } = run(words, { STINT_CONFIG: "missing.yaml" });
      expect(code).toBe(2);
      expect(err).toContain("missing.yaml: it cannot be read\n  why: there is no such file\n");
    }
  });

  it("MA-1 everything wrong with it is told at once, and nothing is started", () => {
    const file = fileOf("wrong.yaml", "server: { prot: 1 }\nsites:\n  - { name: w, type: simulated }\n");
    const { code, out, err } = run(["up", "--config", file, "--state-dir", "wrong"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`stint: ${file}:1:11: prot is not known in server\n`);
    expect(err).toContain("  do:  did you mean port?\n");
    expect(err).toContain(`stint: ${file}:3:5: sites[0].procs is missing\n`);
  });

  it("doctor says so", () => {
    const { code, out } = run(["doctor"], { STINT_CONFIG: fileOf("odd.yaml", "sever: {}\n") });
    expect(code).toBe(1);
    expect(out).toMatch(/bad +configuration +.*odd.yaml:1:1: sever is not known here/);
  });
});

describe("stint config show", () => {
  const file = fileOf(
    "shown.yaml",
    `server: { stateDir: kept, port: 7000 }
sites:
  - { name: here, type: managed, procs: 1 }
  - name: west
    type: simulated
    procs: 64
`,
  );
  interface Shown {
    readonly name: string;
    readonly value: unknown;
    readonly origin: string;
  }
  const shown = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    new Map(
      (JSON.parse(run(["config", "show", "-o", "json", ...words], environment).out).items as Shown[]).map(
        ({ name, value, origin }) => [name, [value, origin]],
      ),
    );

  it("every value has its origin, sites included", () => {
    const told = shown(["--config", file], { STINT_PORT: "7001" });
    expect(told.get("configuration")).toEqual([file, "--config"]);
    expect(told.get("server.stateDir")).toEqual([join(folder, "kept"), `${file}:1`]);
    expect(told.get("server.port")).toEqual([7001, "STINT_PORT (environment)"]);
    expect(told.get("sites.here.procs")).toEqual([1, `${file}:3`]);
    expect(told.get("sites.here.wallTime")).toEqual(["1d", "default"]);
    expect(told.get("sites.west.procs")).toEqual([64, `${file}:6`]);
    expect(told.get("sites.west.memory")).toEqual(["64G", "default"]);
    expect(told.get("sites.west.seed")).toEqual([1, "default"]);
  });

  it("the token is never shown", () => {
    const secret = "stint_0123456789abcdef_secret";
    const environment = { STINT_URL: "http://127.0.0.1:7846", STINT_TOKEN: secret };
    for (const format of ["table", "json", "yaml"]) {
      const { code, out } = run(["config", "show", "-o", format], environment);
      expect(code).toBe(0);
      expect(out).toContain("(set)");
      expect(out).not.toContain(secret);
    }
    expect(shown([]).get("token")).toEqual([null, "default"]);
  });

  it("without a file, defaults; on a login node, no site", () => {
    const told = shown([]);
    expect(told.get("configuration")).toEqual([null, "default"]);
    expect(told.get("server.stateDir")).toEqual([join(folder, "xdg", "stint"), "default"]);
    expect(shown(["--this-machine"]).get("sites.local.type")).toEqual(["managed", "default"]);
    expect(shown([], loginNode()).get("sites")).toEqual([null, "default: Slurm answers here"]);
  });
});

describe("stint up with a configuration", () => {
  const both = (procs: number, wallTime: string) => `sites:
  - { name: local, type: managed, procs: 1 }
  - { name: west, type: simulated, procs: ${procs}, jobs: run, wallTime: ${wallTime} }
`;
  const limitsOf = ({ environment }: LiveBroker) =>
    JSON.parse(stint(["site", "list", "-o", "json"], folder, environment).out).items.map(
      ({ spec }: { spec: { defaultWallTimeSec: number } }) => spec.defaultWallTimeSec,
    );

  it("MA-6 has its sites; changed ones are changed, others stay", async () => {
    const file = fileOf("both.yaml", both(64, "1h"));
    await whileUp("both", ["--config", file], (broker) => {
      expect(broker.said).toContain("sites local (1 processors), west (64 processors)");
      expect(sitesOf(broker)).toEqual(["local managed 1", "west simulated 64"]);
      const ran = stint(
        ["submit", fileOf("job.yaml", "executable: true\nsite: west\n")],
        folder,
        broker.environment,
      );
      expect(ran.code).toBe(0);
    });
    fileOf("both.yaml", both(64, "2h"));
    await whileUp("both", ["--config", file], (broker) => {
      expect(limitsOf(broker)).toEqual([86_400, 7200]);
    });
    await whileUp("both", [], (broker) => {
      expect(limitsOf(broker)).toEqual([86_400, 7200]);
    });
  });

  it("MA-6 a cluster that cannot become what the file says is told of, and stops nobody else", async () => {
    const file = fileOf("smaller.yaml", both(64, "1h"));
    await whileUp("smaller", ["--config", file], () => undefined);
    fileOf("smaller.yaml", both(32, "1h"));
    await whileUp("smaller", ["--config", file], (broker) => {
      expect(broker.said).toContain(`stint: ${file}:3: site west cannot be used: `);
      const ran = stint(["run", "--", "echo", "hi"], folder, broker.environment);
      expect(ran).toMatchObject({ code: 0, out: "hi\n" });
    });
  });

  it("MA-6 a new cluster that cannot be opened stops up, with the place", () => {
    const trace = fileOf("no-trace.swf", "this is no trace\n");
    const site = `{ name: w, type: simulated, procs: 1, background: { trace: ${trace} } }`;
    const { code, err } = run([
      "up",
      "--state-dir",
      "new",
      "--config",
      fileOf("new.yaml", `sites: [${site}]\n`),
    ]);
    expect(code).toBe(2);
    expect(err).toContain(`stint: ${join(folder, "new.yaml")}:1: `);
    expect(err).toContain(trace);
  });

  it("MA-6 what the broker refuses stops it, with the place; this machine is one site", async () => {
    await whileUp("refused", ["--this-machine"], () => undefined);
    const simulated = fileOf("other.yaml", "\nsites: [{ name: local, type: simulated, procs: 1 }]\n");
    const refused = run(["up", "--state-dir", "refused", "--config", simulated]);
    expect(refused.code).toBe(5);
    expect(refused.err).toContain(`stint: ${simulated}:2: site local cannot become simulated\n`);
    const second = fileOf("second.yaml", "sites: [{ name: here, type: managed }]\n");
    const { code, err } = run(["up", "--state-dir", "refused", "--config", second]);
    expect(code).toBe(5);
    expect(err).toContain("  do:  write name: local, or start another broker with --state-dir\n");
  });

  it("MA-2 its own file tells commands where it is", async () => {
    const file = fileOf("place.yaml", "server: { stateDir: place }\n");
    await whileUp("place", ["--this-machine"], () => {
      expect(run(["site", "list", "-o", "name"], { STINT_CONFIG: file }).out).toBe("local\n");
    });
  });
});

describe("stint up on a login node", () => {
  it("does not offer it, says so, and runs; told to, it does", async () => {
    const state = join(folder, "login");
    const alone = await startLiveBroker(state, [], loginNode());
    try {
      expect(alone.said).toContain("stint: Slurm answers here, so this machine is not offered as a site");
      expect(alone.said).toContain("no site yet");
      expect(sitesOf(alone)).toEqual([]);
      expect(stint(["run", "--", "true"], folder, alone.environment).err).toContain("stint site add");
    } finally {
      await alone.end("SIGTERM");
    }
    const offered = await startLiveBroker(state, ["--this-machine"], loginNode());
    try {
      expect(sitesOf(offered)).toHaveLength(1);
    } finally {
      await offered.end("SIGTERM");
    }
  });
});

describe("the port of stint up", () => {
  it("MA-1 is that of STINT_PORT, and one in use is an error with what to do", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    try {
      const { code, err } = run(["up", "--state-dir", "ports", "--this-machine"], { STINT_PORT: port });
      expect(code).toBe(5);
      expect(err).toContain(`stint: cannot listen on port ${port}\n`);
    } finally {
      server.close();
    }
  });
});
