/**
 * How organisations have their jobs placed, as the API writes it.
 */
import type { VoSettings } from "../../model/index.ts";

/** An organisation. */
export interface VoView extends VoSettings {
  /** ISO 8601; null where nothing was ever said. */
  readonly changedAt: string | null;
  readonly by: string | null;
  /** Where its last job was sent. */
  readonly lastSite: string | null;
  /** When its last job was sent to each site, ISO 8601. */
  readonly sentAt: Readonly<Record<string, string>>;
}

/** What can be asked about them. */
export interface VoCalls {
  /** Those that have said something, and that the caller may see. */
  vos(): Promise<readonly VoView[]>;
  vo(name: string): Promise<VoView>;
  /** Says all of it anew; gives how it then is. */
  changeVo(name: string, request: Pick<VoSettings, "selector" | "enforcement">): Promise<VoView>;
}
