import type { JobView } from "../app/client.ts";

/** How a job is called: by its name, else by its program and id. */
export function jobTitle({ name, executable, id }: Pick<JobView, "name" | "executable" | "id">): string {
  const program = executable.split("/").at(-1) ?? executable;
  return `${name ?? program} · ${id.slice(0, 6)}`;
}

/** True for a job of a consumer or of one below it. */
export function isWithin({ consumer }: Pick<JobView, "consumer">, mine: string | undefined): boolean {
  return mine !== undefined && (consumer === mine || consumer.startsWith(`${mine}/`));
}
