import type { JobView } from "../app/client.ts";

/** How a job is called: by its name, else by its node of a DAG or its program, and the begin of its id. */
export function jobTitle(job: Pick<JobView, "name" | "node" | "executable" | "id">): string {
  const { name, node, executable, id } = job;
  const program = executable.split("/").at(-1) ?? executable;
  return `${name ?? node?.name ?? program} · ${shortId(id)}`;
}

/** The begin of an id, with the index of a job in its array or DAG. */
export function shortId(id: string): string {
  const [whole = "", ...index] = id.split("-");
  return [whole.slice(0, 6), ...index].join("-");
}

/** True for what belongs to a consumer or to one below it. */
export function isWithin({ consumer }: Pick<JobView, "consumer">, mine: string | undefined): boolean {
  return mine !== undefined && (consumer === mine || consumer.startsWith(`${mine}/`));
}
