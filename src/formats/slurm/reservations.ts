/** Reservations: `scontrol -o show reservation`. */
import type { ClusterReservation } from "../../model/index.ts";
import { hostList } from "./host-list.ts";
import { keyValueLines, type Row } from "./rows.ts";
import { instantMs, listOf, saidNumber, saidText, tresOf } from "./words.ts";

/** The command that asks for them. */
export const RESERVATIONS_COMMAND: readonly string[] = [
  "scontrol",
  "--all",
  "--oneliner",
  "show",
  "reservation",
];

/** Reads what it printed; `No reservations in the system` are none. */
export function readReservations(text: string): readonly ClusterReservation[] {
  return keyValueLines(text, "ReservationName").map(reservationOf);
}

function reservationOf(row: Row): ClusterReservation {
  return {
    name: row.ReservationName ?? "",
    startAtMs: instantMs(row.StartTime) ?? 0,
    endAtMs: instantMs(row.EndTime) ?? Number.MAX_SAFE_INTEGER,
    nodes: hostList(saidText(row.Nodes) ?? ""),
    procs: tresOf(row.TRES).cpu ?? saidNumber(row.CoreCnt) ?? 0,
    partition: saidText(row.PartitionName),
    users: listOf(row.Users),
    accounts: listOf(row.Accounts),
    flags: listOf(row.Flags),
    state: row.State ?? "",
  };
}
