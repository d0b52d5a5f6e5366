/** `--requirements` and `--rank`, ClassAd expressions read before anything is sent; and `--input-data`. */
import type { Command } from "commander";
import { Fault } from "../base/index.ts";
import { refusalText } from "../model/index.ts";
import { collected } from "./option-values.ts";

/** Values of the options, as typed. */
export interface ExpressionOptions {
  readonly requirements?: string;
  readonly rank?: string;
  readonly inputData?: readonly string[];
}

/** Adds the options to a command. */
export function withExpressions(command: Command): Command {
  return command
    .option(
      "--requirements <expression>",
      "condition that the site must meet: 'other.GlueCEInfoTotalCPUs >= 64'",
    )
    .option("--rank <expression>", "expression that ranks the sites that meet the condition, highest first")
    .option(
      "--input-data <name>",
      "file of the replica catalogue that the job reads; may be repeated",
      collected,
    );
}

/** The attributes of a job that the options set. */
export function expressionsOf({ requirements, rank, inputData }: ExpressionOptions): ExpressionOptions {
  return {
    ...(inputData === undefined ? {} : { inputData: [...new Set(inputData)] }),
    ...(requirements === undefined ? {} : { requirements }),
    ...(rank === undefined ? {} : { rank }),
  };
}

/** Reads the expressions; the language is loaded where there is one. @throws Fault `unreadableExpression` */
export async function demandReadable(options: ExpressionOptions): Promise<void> {
  const { inputData: _, ...expressions } = expressionsOf(options);
  const given = Object.entries(expressions);
  if (given.length === 0) return;
  const { parseExpression } = await import("../classad/index.ts");
  for (const [name, text] of given) {
    const read = parseExpression(text);
    if (read.ok) continue;
    const { code: _, ...problem } = read.refusal;
    const kind = "unreadableExpression";
    throw new Fault({
      ...{ kind: "badInput", code: kind },
      ...refusalText({ ...problem, kind, attribute: `--${name}` }),
    });
  }
}
