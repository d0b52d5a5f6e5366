/** Questions about DAGs, from memory and from their views. */
import type { ObservedJob } from "../engine/index.ts";
import type { DagNodeRecord, DagRecord } from "../model/index.ts";
import type { ArrayQuery } from "./job-questions.ts";

/** Which DAGs to list; all conditions hold. `states`: some of its nodes are in one of these. */
export type DagQuery = ArrayQuery;

/** One page of DAGs. */
interface DagPage {
  readonly items: readonly DagRecord[];
  readonly next: string | undefined;
}

/** Queries of a broker about DAGs. */
export interface DagApi {
  /** One DAG, whether it has ended or not, without its nodes. */
  dag(id: string): Promise<DagRecord | undefined>;
  /** The nodes of a DAG, in their order. */
  dagNodes(id: string): Promise<readonly DagNodeRecord[]>;
  dags(query: DagQuery): Promise<DagPage>;
  dagsBeginning(prefix: string, limit: number, among?: ObservedJob): Promise<readonly string[]>;
}
