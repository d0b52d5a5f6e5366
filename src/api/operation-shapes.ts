/** Shape of a row in the table of operations, and the kinds of rows. */

/** Prefix of version 1. */
export const PREFIX = "/api/v1";

/** A type in a table of values. */
export interface Of<Value> {
  readonly type?: Value;
}

/** Response of a list. */
export interface Items<Item> {
  readonly items: readonly Item[];
}

/** An operation. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path below {@link PREFIX}, with parameters as `:name`. */
  readonly path: string;
  readonly query?: Of<unknown>;
  readonly body?: Of<unknown>;
  readonly answer: Of<unknown>;
  /**
   * Reason why repetition is safe: the operation changes nothing or the same (`same`), or an idempotency key
   * identifies it (`keyed`). Absent: it is sent once.
   */
  readonly again?: "same" | "keyed";
}

/** A type as a value of the table. */
export const of = <Value>(): Of<Value> => ({});
/** No JSON in the response. */
export const none = of<undefined>();
/** Changes nothing. */
export const look = { method: "GET", again: "same" } as const;
/** Removes something; sent once. */
export const remove = { method: "DELETE" } as const;
/** Acts once. */
export const act = { method: "POST" } as const;
/** Creates something, identified by its idempotency key. */
export const create = { method: "POST", again: "keyed" } as const;
/** Changes nothing, or the same when repeated. */
export const question = { method: "POST", again: "same" } as const;
/** Replaces something. */
export const put = { method: "PUT", again: "same" } as const;
