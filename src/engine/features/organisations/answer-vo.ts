/** Commands and queries of organisations about the placement of their jobs (rule EN-79). */
import { accepted, type Result, refused } from "../../../base/index.ts";
import { type Command, isConsumerPath, type Refusal, type StintEvent, voOf } from "../../../model/index.ts";
import type { Projection } from "../../state/projection.ts";

/** Records an organisation's setting if it changes; an organisation is the first name of a consumer path. */
export function changeVo(
  { vos }: Projection,
  { vo, selector, enforcement, by }: Extract<Command, { kind: "changeVo" }>,
  nowMs: number,
): Result<readonly StintEvent[], Refusal> {
  if (!isConsumerPath(vo) || voOf(vo) !== vo) return refused({ kind: "consumerInvalid", consumer: vo });
  const before = vos.records.get(vo);
  const isSame =
    (before?.selector ?? null) === selector &&
    (before?.enforcement?.extraPpm ?? null) === (enforcement?.extraPpm ?? null);
  if (isSame && before !== undefined) return accepted([]);
  return accepted([{ kind: "voChanged", vo, selector, enforcement, by, atMs: nowMs }]);
}
