/**
 * gres.conf: the generic GPUs of a rich cluster.
 *
 * Source: gres.conf(5) of Slurm 22.05. A `gpu` without a file counts as none, and the file has to be a
 * device, so each borrows one that every machine has; nothing is ever read from it.
 */
import { type ClusterShape, firstGpuNode, nodeNames } from "./shape.ts";
import { GPUS_PER_NODE } from "./slurm-conf.ts";

const devices = ["/dev/null", "/dev/zero"].slice(0, GPUS_PER_NODE);

/** The text of gres.conf; without a GPU in a plain cluster. */
export function gresConf(shape: ClusterShape): string {
  if (shape.kind === "plain") return "# no generic resources\n";
  const names = nodeNames(shape).slice(firstGpuNode(shape));
  const lines = names.flatMap((name) =>
    devices.map((device) => `NodeName=${name} Name=gpu Type=fake File=${device}`),
  );
  return `${lines.join("\n")}\n`;
}
