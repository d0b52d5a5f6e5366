/** `--requirements` and `--rank`: ClassAd expressions of a job, read before anything is sent. */
import type { Command } from "commander";
import { Fault } from "../base/index.ts";
import { refusalText } from "../model/index.ts";

/** Values of the options, as typed. */
export interface ExpressionOptions {
  readonly requirements?: string;
  readonly rank?: string;
}

/** Adds the options to a command. */
export function withExpressions(command: Command): Command {
  return command
    .option("--requirements <expression>", "what the site must fulfil: 'other.GlueCEInfoTotalCPUs >= 64'")
    .option("--rank <expression>", "what orders the sites that fulfil it, the greatest first");
}

/** The attributes of a job that the options set. */
export function expressionsOf({ requirements, rank }: ExpressionOptions): ExpressionOptions {
  return {
    ...(requirements === undefined ? {} : { requirements }),
    ...(rank === undefined ? {} : { rank }),
  };
}

/** Reads the expressions; the language is loaded where there is one. @throws Fault `unreadableExpression` */
export async function demandReadable(options: ExpressionOptions): Promise<void> {
  const given = Object.entries(expressionsOf(options));
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
