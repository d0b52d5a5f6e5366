/** Operations on DAGs; a part of the table of all operations. */
import type {
  DagActionQuery,
  DagFilter,
  DagList,
  DagRequest,
  Ids,
  SubmitQuery,
  WholeDagView,
} from "../contract/index.ts";
import { act, create, look, of } from "./operation-shapes.ts";

const dag = of<WholeDagView>();
const nodes = of<DagActionQuery>();

/** Rows of the table of operations. */
export const DAG_OPERATIONS = {
  submitDag: {
    ...create,
    path: "/dags",
    query: of<SubmitQuery>(),
    body: of<DagRequest>(),
    answer: of<Ids>(),
  },
  listDags: { ...look, path: "/dags", query: of<DagFilter>(), answer: of<DagList>() },
  getDag: { ...look, path: "/dags/:id", answer: dag },
  cancelDag: { ...act, path: "/dags/:id/cancel", query: nodes, answer: dag },
  holdDag: { ...act, path: "/dags/:id/hold", query: nodes, answer: dag },
  releaseDag: { ...act, path: "/dags/:id/release", query: nodes, answer: dag },
  suspendDag: { ...act, path: "/dags/:id/suspend", query: nodes, answer: dag },
  resumeDag: { ...act, path: "/dags/:id/resume", query: nodes, answer: dag },
  retryDag: { ...act, path: "/dags/:id/retry", query: nodes, answer: dag },
} as const;
