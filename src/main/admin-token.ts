/**
 * The owner's own token, in a file of the state directory that only they can read.
 *
 * Whoever reads that file can also open the socket beside it, so it gives nothing that was not theirs.
 */
import { readFile, rename, writeFile } from "node:fs/promises";
import { type Identity, mintToken, recordOf } from "../api/index.ts";
import { assert } from "../base/index.ts";
import { SCOPES, tokenState } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";

/** As long as it is good for; the first start after that makes another. */
const LIFE_MS = 365 * 24 * 3_600_000;

/**
 * Makes a token for the owner and puts it into the file, unless the one that is there is good.
 *
 * @param nowMs by the broker's time, which a token is to outlive
 */
export async function giveAdminToken(
  brokerApi: BrokerApi,
  file: string,
  { owner, consumer }: Identity,
  nowMs: number,
): Promise<void> {
  const kept = await readFile(file, "utf8").catch(() => "");
  const record = recordOf(brokerApi, kept.trim());
  if (record !== undefined && tokenState(record, nowMs) === "valid") return;
  const { id, hash, token } = mintToken();
  const answer = await brokerApi.ask({
    kind: "createToken",
    token: id,
    hash,
    role: "admin",
    consumer,
    site: null,
    scopes: SCOPES,
    label: "made by stint up",
    createdBy: owner,
    expiresAtMs: nowMs + LIFE_MS,
  });
  assert(answer.ok, "the owner's token is as tokens are");
  // Written beside it and renamed: never half there, never readable to others.
  const fresh = `${file}.${id}`;
  await writeFile(fresh, `${token}\n`, { mode: 0o600, flag: "wx" });
  await rename(fresh, file);
}
