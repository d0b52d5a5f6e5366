/** Lines below the list of sites: sites and nodes that take few jobs or none, and why. */
import type { SiteView } from "../api/client/index.ts";
import { instantText } from "./instant-text.ts";
import { printable } from "./text-table.ts";

/** Why sites take few jobs or none, a line each. */
export function healthLines(sites: readonly SiteView[]): string {
  const lines = sites.flatMap(({ name, health }) => {
    if (health === undefined) return [];
    if (health.state === "onTrial") {
      const { most, endedWell, needed } = health;
      const condition = `${needed} have ended well (${endedWell} so far)`;
      return `${name}: readmitted, takes ${most} jobs at a time until ${condition}\n`;
    }
    const { quickFailures, ended, since, nextTest } = health;
    return (
      `${name}: set aside since ${instantText(since)}, because ${quickFailures} of ${ended} jobs failed ` +
      `there as soon as they began; a job tests it from ${instantText(nextTest)} on\n`
    );
  });
  return lines.join("");
}

/** Why jobs avoid nodes of sites, a line each. */
export function nodeHealthLines(sites: readonly SiteView[]): string {
  const lines = sites.flatMap(({ name, nodeHealth = [] }) =>
    nodeHealth.map((node) => `${printable(`${name}: node ${node.node}`)} ${nodeText(node)}\n`),
  );
  return lines.join("");
}

function nodeText({ since, nextTest, ...node }: NonNullable<SiteView["nodeHealth"]>[number]): string {
  if (since === undefined || nextTest === undefined) {
    return `readmitted, takes a few jobs at a time (${node.endedWell ?? 0} have ended well so far)`;
  }
  return (
    `set aside since ${instantText(since)}, because ${node.quickFailures} of ${node.ended} jobs failed ` +
    `there as soon as they began; a job may test it from ${instantText(nextTest)} on`
  );
}
