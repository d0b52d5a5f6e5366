/** Results of reading job descriptions, in any language. */
import type { Result } from "../../base/index.ts";
import type { DagNode, DagPlan, JobDescription } from "../../model/index.ts";
import type { Remark, Surroundings, Words } from "../yaml/index.ts";

/** A job with the rest of its description. */
export interface DescribedJob {
  readonly description: JobDescription;
  /** The line, from 1, at which its description begins. */
  readonly line: number;
  /** Name of the node that it is, in a workflow or a collection. */
  readonly node?: string;
}

/** The translation of one directive of another language. */
export interface Translation {
  /** The line, from 1, at which the directive begins. */
  readonly line: number;
  /** The directive as it was written, shortened: `#SBATCH --mail-type=END`. */
  readonly written: string;
  readonly verdict: "translated" | "noEffect" | "notTranslated";
  /** The attribute that it becomes, as it would be written in YAML: `wallTime: 1h`. */
  readonly becomes?: string;
  /** Reason for no effect or no translation. */
  readonly why?: string;
}

/** A node of a DAG, beside its description. */
export interface ReadNode extends Omit<DagNode, "description" | "inputBytes" | "parents"> {
  /** Names of the nodes that have to end successfully first. */
  readonly parents: readonly string[];
}

/** A DAG, beside the descriptions of its nodes. */
export interface ReadDag extends Pick<DagPlan, "name" | "maxRunning" | "maxRunningOf"> {
  /** In the order of the jobs. */
  readonly nodes: readonly ReadNode[];
}

/** Valid jobs of a text, and all remarks. The text is accepted if there are no problems. */
export interface JobReading {
  readonly jobs: readonly DescribedJob[];
  readonly warnings: readonly Remark[];
  readonly problems: readonly Remark[];
  /** Every directive in the order of the text; empty for YAML, whose words are the model's own. */
  readonly translations: readonly Translation[];
  /** The whole that the jobs are parts of: `a DAG of 5 nodes and 4 dependencies`. */
  readonly whole?: string;
  /** The DAG whose nodes the jobs are. */
  readonly dag?: ReadDag;
}

/** The world around a description. */
export interface JobSurroundings extends Surroundings {
  /** The file that is read; absent where the text comes from stdin or a request. */
  readonly file?: string;
  /** Reads a further file that the text names; absent where none can be read. */
  readonly readText?: (path: string) => Result<string, Words>;
}

/** Reads a text in one language; never throws on its content. */
export type ReadJobs = (text: string, surroundings: JobSurroundings) => JobReading;
