/** Operators and administrators: `sacctmgr show user`. */
import { namedRows } from "./rows.ts";

/** The command that asks about a user. */
export function userCommand(user: string): readonly string[] {
  return ["sacctmgr", "-P", "show", "user", user, "format=User,AdminLevel"];
}

/** `None`, `Operator`, `Administrator`; null where the accounting does not know the user. */
export function readAdminLevel(text: string): string | null {
  const [row] = namedRows(text);
  return row?.["Admin Level"] ?? row?.Admin ?? row?.AdminLevel ?? null;
}
