/**
 * `stint site connect`: opens the connection that the broker of this machine's state directory uses for a
 * site.
 */
import { join } from "node:path";
import { Fault } from "../base/index.ts";
import type { ConnectSite } from "../cli/index.ts";
import { type Environment, findStateDirectory } from "./settings.ts";

/**
 * Opens connections for the broker of the environment's state directory.
 *
 * @throws Fault `brokerElsewhere` if a broker is named by its address
 */
export function siteConnector(environment: Environment): ConnectSite {
  return async (site, sshHost) => {
    if (environment.STINT_URL) throw brokerElsewhere(environment.STINT_URL);
    const { connectByHand } = await import("../sites/slurm/index.ts");
    return connectByHand(sshHost, join(await findStateDirectory(environment), "sites", site));
  };
}

function brokerElsewhere(url: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "brokerElsewhere",
    what: "no connection was opened",
    why: `STINT_URL refers to a broker at ${url}, and connections must be opened on the broker's machine`,
    remedy: "run the command there, as the user who runs the broker, without STINT_URL",
  });
}
