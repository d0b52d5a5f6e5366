import { useQuery } from "@tanstack/react-query";
import { client, Fault, type SessionView } from "./client.ts";
import { queries } from "./queries.ts";

/** The signed-in caller: undefined while it is asked, null for nobody. */
export function useSession() {
  return useQuery({ queryKey: ["session"], queryFn: whoIsThere, staleTime: 300_000 });
}

/** Whether the caller may perform an action on some subject; the broker decides on each one. */
export function useMay(): (action: string) => boolean {
  const { data } = useSession();
  return (action) => data?.may.includes(action) ?? false;
}

/** Signs in with a token. @throws Fault `tokenWrong`, `tokenExpired`, `tokenRevoked` */
export async function signIn(token: string): Promise<void> {
  queries.setQueryData(["session"], await client.call("signIn", { body: { token } }));
}

/** Signs out, and forgets everything that was shown. */
export async function signOut(): Promise<void> {
  await client.call("signOut");
  // The session first: the views that show the rest are then gone.
  queries.setQueryData(["session"], null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
}

async function whoIsThere(): Promise<SessionView | null> {
  await signInByLink();
  try {
    return await client.call("getSession");
  } catch (error) {
    if (error instanceof Fault && error.kind === "notAllowed") return null;
    throw error;
  }
}

/** A link with `#token=…` signs in; the fragment, which browsers never send, is removed at once. */
async function signInByLink(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return;
  history.replaceState(null, "", location.pathname + location.search);
  // A token that no longer works leads to the form, as without one.
  await client.call("signIn", { body: { token } }).catch(() => undefined);
}
