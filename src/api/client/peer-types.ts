/**
 * Other brokers that use the same clusters, as a program sees them through the client.
 */
import type { PeerAtSite, PeerNow } from "../../engine/index.ts";
import type { DispatchList } from "../../model/index.ts";

/** What of another broker counts at a site. */
export interface PeerAtSiteView extends Omit<PeerAtSite, "heardAtMs"> {
  readonly heardAt: string;
}

/** Another broker, and all that it told. */
export interface PeerView extends Omit<PeerNow, "heardAtMs"> {
  readonly heardAt: string;
}

/** The client's calls about other brokers. */
export interface PeerCalls {
  /** What this broker has sent to clusters. */
  dispatches(): Promise<DispatchList>;
  peers(): Promise<readonly PeerView[]>;
  /** Has what another broker told counted here; `name` is what it is called here. */
  hearPeer(name: string, told: DispatchList): Promise<PeerView>;
  forgetPeer(name: string): Promise<void>;
}
