/** Webhooks: addresses that are told of events, each request signed, in order, until it is answered. */

/** A webhook as its administrator gives it. */
export interface WebhookRequest {
  readonly url: string;
  /** Kinds of events; none: all. */
  readonly kinds: readonly string[];
  /** Addresses of this machine and of private networks are reached. */
  readonly isPrivateAllowed: boolean;
  readonly by: string;
}

/** An event that was given up after its last try. */
interface DeadLetter {
  /** Number of the event. */
  readonly seq: number;
  readonly kind: string;
  readonly atMs: number;
  readonly why: string;
}

/** A webhook, without its secret. */
export interface Webhook extends WebhookRequest {
  readonly id: string;
  readonly createdAtMs: number;
  /** Number of the last event that was delivered, given up, or not asked for. */
  readonly throughSeq: number;
  /** The event that is tried again, and why it failed; null: none. */
  readonly failing: { readonly seq: number; readonly tries: number; readonly why: string } | null;
  readonly dead: readonly DeadLetter[];
}

/** The webhooks of a broker. */
export interface Webhooks {
  list(): readonly Webhook[];
  /** Events from now on. @returns the webhook, and the secret that signs its requests */
  add(request: WebhookRequest): Promise<{ readonly webhook: Webhook; readonly secret: string }>;
  /** @returns what is gone; undefined: there is none of this id */
  remove(id: string): Promise<Webhook | undefined>;
  /** Sends what was given up once more. @returns the webhook; undefined: there is none of this id */
  redeliver(id: string): Promise<Webhook | undefined>;
}
