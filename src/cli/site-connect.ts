/** `stint site connect`: logs in to a cluster's login node once, for the broker. */
import { Command } from "commander";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";

/** Opens the connection that the broker here uses for a site; may prompt at the terminal. */
export type ConnectSite = (site: string, sshHost: string) => Promise<"open" | "opened" | "failed">;

const EXAMPLES = `
Examples:
  $ stint site connect west
  $ stint site connect west --ssh-host login.example.org

For login nodes that ask for a password, a code or a passphrase, which the
broker cannot answer. The system's ssh runs at your terminal, and the broker
uses the connection from then on, until the login node or stint site remove
closes it. Without a connection the site waits, and no job fails because of it.
Run the command on the broker's machine as the user who runs the broker. If the
site has not been added yet, name its login node with --ssh-host.
`;

/** Command definition of `stint site connect`. */
export function siteConnectCommand(
  { client, terminal }: CommandContext,
  load: () => Promise<ConnectSite>,
): Command {
  return new Command("connect")
    .summary("log in to a cluster's login node once, for the broker")
    .description("Opens the SSH connection through which the broker reaches a cluster.")
    .argument("<name>", "a site, as stint site list shows it")
    .option("--ssh-host <host>", "login node of a site that is not added yet")
    .addHelpText("after", EXAMPLES)
    .action(async (name: string, { sshHost }: { readonly sshHost?: string }) => {
      const host = sshHost === undefined ? await hostOf(client, name) : assertHost(sshHost);
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name)) throw badName(name);
      const connected = await (await load())(name, host);
      if (connected === "failed") throw notConnected(name, host);
      terminal.writeResult(`${name}: ${connected === "open" ? "is connected already" : "connected"}\n`);
    });
}

async function hostOf(client: CommandContext["client"], name: string): Promise<string> {
  const { spec } = await (await client()).site(name);
  if (spec.type === "slurm" && spec.sshHost !== null) return spec.sshHost;
  throw new Fault({
    kind: "badInput",
    code: "siteWithoutHost",
    what: `${name} needs no connection`,
    why: "it is not reached over SSH",
    remedy: "see stint site list -o json for the connections of sites",
  });
}

/** Refuses hosts that ssh would read as an option. */
function assertHost(host: string): string {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.@:-]*$/.test(host)) return host;
  throw new Fault({
    kind: "badInput",
    code: "optionValue",
    what: `--ssh-host: ${JSON.stringify(host)} is not an SSH host`,
    why: "the value is passed to ssh unchanged",
    remedy: "write it as in ssh HOST",
  });
}

function badName(name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "siteNameInvalid",
    what: `${JSON.stringify(name)} is not a valid site name`,
    why: "names are letters, digits and . _ -",
    remedy: "write for instance west",
  });
}

function notConnected(name: string, host: string): Fault {
  return new Fault({
    kind: "unreachable",
    code: "siteCredentials",
    what: `${name} is not connected`,
    why: `ssh to ${host} failed; its message is above`,
    remedy: `try ssh ${host} by itself first, with the same user's configuration`,
  });
}
