import { Help } from "commander";
import { describe, expect, it } from "vitest";
import type { Capabilities } from "./capabilities.ts";
import { type CommandWorld, commandsFor, isHidden, OTHER_COMMANDS, subcommandTerm } from "./commands.ts";
import type { Terminal } from "./terminal.ts";

const unasked = (): Promise<never> => Promise.reject(new Error("nothing runs here"));
const least = {
  ...{
    simulateStreams: unasked,
    simulate: unasked,
    generate: unasked,
    describe: unasked,
    scenario: unasked,
    whatIf: unasked,
  },
  ...{ quote: unasked, readJobFile: unasked, checkFile: unasked, policies: unasked, client: unasked },
} satisfies Capabilities;
const all = {
  ...least,
  ...{
    verify: unasked,
    sensor: unasked,
    usageReport: unasked,
    classAds: unasked,
    connectSite: unasked,
    testAdapter: unasked,
  },
  ...{
    planWorkflow: unasked,
    leftPauses: unasked,
    demo: unasked,
    up: unasked,
    down: unasked,
    backUp: unasked,
    restore: unasked,
    streamWrapper: unasked,
    archives: unasked,
    service: unasked,
    doctor: unasked,
    config: unasked,
  },
} satisfies Required<Capabilities>;
const terminal: Terminal = {
  ...{ version: "0", writeResult: () => true, writeError: () => true, writeBytes: unasked },
  ...{ columns: undefined, environment: {}, directory: "/data", nowMs: () => 0 },
  ...{ onEndRequest: () => () => undefined, showsProgress: false, isDebugging: false },
  keyboard: unasked,
  standardInput: async function* () {},
};

async function named(words: readonly string[], capabilities: Capabilities = all) {
  const endWith = () => undefined;
  const world: CommandWorld = {
    ...{ capabilities, terminal, endWith, words },
    context: { ...capabilities, terminal, endWith },
  };
  return new Map((await commandsFor(words, world)).map((command) => [command.name(), command]));
}

describe("the list of all commands", () => {
  it("shows each as it is when it is loaded", async () => {
    const listed = await named(["--help"]);
    const whole = await named(["completion"]);
    expect([...listed.keys()]).toEqual([...whole.keys()]);
    const help = new Help();
    for (const [name, command] of whole) {
      const stub = listed.get(name);
      const shown = [stub && subcommandTerm.call(help, stub), stub?.summary()];
      expect(shown).toEqual([help.subcommandTerm(command), command.summary()]);
    }
  });

  it("has whole what is typed, and what help is asked of", async () => {
    for (const words of [
      ["site", "add"],
      ["help", "site"],
    ]) {
      const commands = await named(words);
      expect(commands.get("site")?.commands.length).toBeGreaterThan(3);
      expect(commands.get("policy")?.commands).toEqual([]);
    }
  });

  it("has each in a group, in the order of the groups", async () => {
    const all = [...(await named(["--help"])).values()];
    const commands = all.filter((command) => !isHidden(command.name()));
    const headings = commands.map((command) => command.helpGroup());
    expect([...new Set(headings)]).toEqual([
      ...["Jobs:", "Sites:", "Reservations:", "Policies:", "Simulator:", "Administration:"],
    ]);
    expect(headings).toEqual(headings.toSorted((a, b) => headings.indexOf(a) - headings.indexOf(b)));
    const unplaced = commands.filter((command) => command.helpGroup() === OTHER_COMMANDS);
    // A new command is named in GROUPS of commands.ts.
    expect(unplaced.map((command) => command.name())).toEqual([]);
  });

  it("lacks what the program has nothing for", async () => {
    const commands = await named(["up"], least);
    expect([commands.has("up"), commands.has("doctor"), commands.has("run")]).toEqual([false, false, true]);
  });
});
