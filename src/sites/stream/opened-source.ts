/** An open source. */
export interface OpenedSource {
  /** Bytes to be thrown away first. */
  readonly skip: number;
  /** Bytes of the whole source; undefined where its server does not say. */
  readonly size: number | undefined;
  /** Identifies the version of the data; empty where the server says nothing. */
  readonly version: string;
  /** False where the server sends everything whatever the range. */
  readonly hasRanges: boolean;
  readonly chunks: AsyncIterable<Buffer>;
  /** Gives up the connection. */
  readonly close: () => void;
}
