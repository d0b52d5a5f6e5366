/**
 * The transfer side of a wrapper: fetches blocks as room and rate allow, stores the position, removes blocks.
 */
import { type Block, type BlockBook, createBlockBook } from "./block-book.ts";
import type { BlockFiles } from "./block-files.ts";
import type { HandedBlock } from "./delivery.ts";
import { fetchBlock } from "./fetch-block.ts";
import type { ProcessedStream } from "./life.ts";
import type { Ownership } from "./owner.ts";
import { createPositionWriter, type Position, storePosition } from "./position.ts";
import { restoreBlocks } from "./restore-blocks.ts";
import { openSink, type Sink } from "./sink.ts";
import { openSourceList, type SourceList } from "./source-list.ts";
import { problemOfBlock } from "./source-problem.ts";
import { createSourceReaders, type SourceReaders } from "./source-readers.ts";
import { createStallWatch, stallOf } from "./stall-watch.ts";
import { limitsOf } from "./storage-limits.ts";
import type { StreamOrder } from "./stream-order.ts";
import type { PullFigures, WrapperState } from "./stream-report.ts";
import { createTokenBucket, type TokenBucket } from "./token-bucket.ts";
import type { Trouble } from "./trouble.ts";
import { verifyBlock } from "./verify-block.ts";

const EVERY_MS = 250;

/** Dependencies of a pull. */
interface PullOrder {
  readonly order: StreamOrder;
  readonly files: BlockFiles;
  readonly ownership: Ownership;
  readonly position: Position;
}

/** Opens the sources and the blocks of an earlier life. */
export async function createPull(order: PullOrder): Promise<Pull> {
  const pull = new Pull(order);
  await pull.restore();
  return pull;
}

/** The transfers of one wrapper. */
export class Pull {
  readonly #order: StreamOrder;
  readonly #files: BlockFiles;
  readonly #ownership: Ownership;
  readonly #list: SourceList;
  readonly #readers: SourceReaders;
  readonly #book: BlockBook;
  readonly #bucket: TokenBucket;
  readonly #ending = new AbortController();
  readonly #write: (position: Position) => Promise<void>;
  readonly #stall = createStallWatch();
  readonly #storing = new Set<Promise<void>>();
  #sink: Sink | undefined;
  #position: Position;
  #pumpApplication = (): void => undefined;
  #fail: (cause: unknown) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #quotaBytes: number;
  #hasBegun = false;
  #isPaused = false;
  #isDraining = false;
  /** Transfers that were given up and whose files are not removed yet. */
  #abandoned = 0;
  #receivedBytes = 0;
  #haltedMs = 0;
  #haltedSince: number | undefined;
  /** Rejects when a transfer cannot go on. */
  readonly failed: Promise<never>;

  constructor({ order, files, ownership, position }: PullOrder) {
    this.#order = order;
    this.#files = files;
    this.#ownership = ownership;
    this.#position = position;
    this.#quotaBytes = order.quotaBytes;
    this.#write = createPositionWriter(order.directory);
    this.#bucket = createTokenBucket(order.rate.first ?? order.rate.least);
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
    this.#list = openSourceList(order);
    this.#readers = createSourceReaders(this.#list, {
      ...{ known: position.sources, idleMs: order.idleMs, onFacts: () => this.#pump() },
    });
    this.#book = createBlockBook({
      ...{ blockBytes: order.blockBytes, connections: order.connections, ahead: order.ahead },
      ...{ next: position.next, list: this.#list, limits: limitsOf(order, order.quotaBytes) },
      setAsideBytes: position.setAside.reduce((sum, { bytes }) => sum + bytes, 0),
      sizeOf: this.#readers.sizeOf,
      isParallel: (source) => this.#readers.at(source).hasRanges(),
    });
  }

  /** Aborts when the stream ends. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** The side of the application. */
  get processed(): Pick<
    ProcessedStream,
    "deliverable" | "handed" | "isComplete" | "acknowledge" | "setAside" | "mayHandOver" | "settled"
  > {
    return {
      deliverable: () => this.#deliverable(),
      handed: (block) => this.#handed(block),
      isComplete: () => this.#isComplete(),
      acknowledge: (seq, results) => this.#acknowledge(seq, results),
      mayHandOver: () => this.#sink?.isFull() !== true,
      settled: async () => this.#sink?.settled(),
      setAside: (block) => this.#setAside(block),
    };
  }

  /** Finds the blocks of an earlier life. */
  async restore(): Promise<void> {
    const { blockBytes } = this.#order;
    this.#sink = await openSink(this.#order, this.#position, this.signal);
    const isSame = this.#position.blockBytes === blockBytes;
    await restoreBlocks(this.#book, this.#files, isSame ? this.#order.connections : 0);
    this.#position = { ...this.#position, blockBytes };
  }

  /** Begins to fetch. @param pumpApplication hands over what has become whole */
  begin(pumpApplication: () => void): void {
    this.#pumpApplication = pumpApplication;
    this.#hasBegun = true;
    for (const block of this.#book.blocks.values()) if (block.state === "fetching") this.#fetch(block);
    this.#giveUpExcess();
    this.#timer = setInterval(() => this.#pump(), EVERY_MS);
    this.#list
      .follow(this.signal, () => this.#pump())
      .catch((cause) => {
        if (!this.signal.aborted) this.#fail(cause);
      });
    this.#pump();
  }

  changeRate(bytesPerSec: number, isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#bucket.changeRate(isPaused ? 0 : bytesPerSec);
    this.#pump();
  }

  /** Takes another quota; blocks that no longer fit are given up, the last ones first. */
  changeQuota(quotaBytes: number): void {
    if (quotaBytes === this.#quotaBytes) return;
    this.#quotaBytes = quotaBytes;
    this.#book.changeLimits(limitsOf(this.#order, quotaBytes));
    if (this.#hasBegun) this.#giveUpExcess();
    this.#pump();
  }

  /** Fetches nothing more; what is there is processed. */
  drain(): void {
    this.#isDraining = true;
    this.#readers.endWaits();
    this.#pump();
  }

  /** Ends transfers and the application at once. */
  stop(): void {
    clearInterval(this.#timer);
    this.#ending.abort();
    for (const { ending } of this.#book.blocks.values()) ending.abort();
    this.#readers.closeAll();
  }

  /** Stores the last position, when the application has ended. */
  async finish(): Promise<"done" | "stopped"> {
    await Promise.all([this.#sink?.settled(), ...this.#storing]);
    const isDone = !this.#ending.signal.aborted && this.#book.isExhausted();
    this.#position = { ...this.#position, isDone };
    await this.#store([]);
    return isDone ? "done" : "stopped";
  }

  state(): WrapperState {
    if (this.#ending.signal.aborted) return "stopped";
    if (this.#isPaused) return "suspended";
    if (this.#files.isFull()) return "diskFull";
    if (this.#isDraining || this.#book.isExhausted()) return "draining";
    if (this.#book.isHalted()) return "halted";
    const fetching = this.#count("fetching");
    const isWanting = fetching > 0 || this.#book.isWaiting();
    return isWanting && this.#stall.isStalled(fetching) ? "stalled" : "running";
  }

  figures(): PullFigures {
    this.#noteHalt();
    const { next, ackedBytes, setAside } = this.#position;
    const trouble = this.#trouble();
    const rest = this.#readers.bytesFrom(next);
    return {
      receivedBytes: this.#receivedBytes,
      ackedBytes,
      totalBytes: rest === undefined ? null : ackedBytes + rest,
      occupiedBytes: this.#book.occupiedBytes(),
      quotaBytes: this.#quotaBytes,
      halts: this.#book.halts(),
      haltedSec: Math.round(this.#haltedMs) / 1000,
      position: {
        seq: next.seq,
        source: next.source < this.#list.count() ? this.#list.at(next.source).href[0] : null,
        offset: next.offset,
      },
      setAsideBlocks: setAside.map(({ seq }) => seq),
      ...this.#sink?.figures(),
      trouble: trouble?.message ?? null,
      ...(trouble === undefined ? {} : { stall: stallOf(trouble) }),
    };
  }

  #trouble(): Trouble | undefined {
    const known = this.#stall.trouble() ?? this.#list.trouble() ?? this.#sink?.trouble();
    if (known !== undefined || this.state() !== "stalled") return known;
    const first = [...this.#book.blocks.values()].find(({ state }) => state === "fetching");
    return this.#stall.silence(first && this.#list.at(first.source), this.#order.idleMs);
  }

  #pump(): void {
    if (this.#ending.signal.aborted || !this.#hasBegun) return;
    this.#noteHalt();
    const mayBegin = !this.#isPaused && !this.#isDraining && this.#abandoned === 0;
    for (let block = mayBegin ? this.#book.beginNext() : undefined; block !== undefined; ) {
      this.#fetch(block);
      block = this.#book.beginNext();
    }
    this.#pumpApplication();
  }

  #fetch(block: Block): void {
    const { signal } = block.ending;
    if (this.#count("fetching") === 1) this.#stall.begin();
    const fetched = fetchBlock({
      ...{
        place: block,
        length: block.length,
        reader: this.#readers.at(block.source),
        files: this.#files,
        signal,
      },
      pay: async (bytes) => {
        await this.#bucket.take(bytes, signal);
        this.#receivedBytes += bytes;
        this.#stall.noteBytes(block.seq);
      },
      onProgress: (bytes) => {
        block.bytes = bytes;
      },
      onTrouble: (trouble) => this.#stall.noteTrouble(block.seq, trouble),
    });
    fetched
      .then(({ bytes, sha256 }) => {
        if (signal.aborted) return this.#files.remove(block);
        const state = bytes === 0 ? "acked" : "whole";
        this.#book.cutShort(block, bytes);
        Object.assign(block, { bytes, length: bytes, sha256, state });
        if (bytes === 0) this.#advance();
        return undefined;
      })
      .catch((cause) => {
        if (!signal.aborted) this.#fail(problemOfBlock(block.seq, cause));
      })
      .finally(() => {
        this.#stall.end(block.seq);
        if (signal.aborted) this.#abandoned--;
        this.#pump();
      });
  }

  #giveUpExcess(): void {
    for (const block of [...this.#book.blocks.values()].sort((one, other) => other.seq - one.seq)) {
      const isFree = block.state === "fetching" || block.state === "whole";
      if (this.#book.excessBytes() === 0 || !isFree) break;
      this.#giveUp(block);
    }
  }

  #giveUp(block: Block): void {
    this.#abandoned++;
    this.#book.forgetFrom(block);
    if (block.state === "fetching") {
      block.ending.abort();
      return;
    }
    void this.#files.remove(block).finally(() => {
      this.#abandoned--;
      this.#pump();
    });
  }

  #deliverable(): readonly Block[] {
    const blocks: Block[] = [];
    let seq = this.#position.next.seq;
    for (let block = this.#book.blocks.get(seq); block !== undefined; block = this.#book.blocks.get(seq)) {
      if (block.state === "fetching") break;
      if (block.state !== "acked" && block.state !== "sending") blocks.push(block);
      seq++;
    }
    return blocks;
  }

  #isComplete(): boolean {
    return (this.#isDraining || this.#book.isExhausted()) && this.#count("fetching") === 0;
  }

  #count(state: Block["state"]): number {
    return [...this.#book.blocks.values()].filter((it) => it.state === state).length;
  }

  async #handed(block: Block): Promise<HandedBlock> {
    const { href, checksum } = this.#list.at(block.source);
    const path = this.#files.pathOf(block);
    const size = this.#readers.sizeOf(block.source);
    if (checksum !== undefined && block.digest === undefined) {
      block.digest = await verifyBlock({
        ...{ block, path, checksum, href: href[0] },
        before: this.#book.blocks.get(block.seq - 1)?.digest ?? this.#position.digest,
        isLastOfSource: size !== undefined && block.offset + block.length >= size,
      });
    }
    const { seq, bytes, sha256 } = block;
    const isLast = this.#isComplete() && !this.#book.blocks.has(seq + 1);
    return { seq, source: href[0], path, bytes, sha256, last: isLast };
  }

  #acknowledge(seq: number, results: readonly string[] = []): void {
    const block = this.#book.blocks.get(seq);
    if (block === undefined || !block.isOffered || block.state === "sending") return;
    if (this.#sink === undefined || results.length === 0) {
      block.state = "acked";
      this.#advance();
      return;
    }
    block.state = "sending";
    const confirmed = (): void => {
      block.state = "acked";
      this.#advance();
      this.#pump();
    };
    this.#sink.send({ seq, results }, confirmed, (cause) => this.signal.aborted || this.#fail(cause));
  }

  async #setAside(block: Block): Promise<void> {
    const { seq, source, offset, bytes } = block;
    await this.#files.setAside(block);
    const setAside = [...this.#position.setAside, { seq, source, offset, bytes }];
    this.#position = { ...this.#position, setAside };
    this.#book.setAside({ seq, source, offset, bytes });
    Object.assign(block, { bytes: 0, state: "acked" });
    this.#advance();
  }

  /** Moves the position over what is acknowledged without a gap. */
  #advance(): void {
    const done: Block[] = [];
    let { next, ackedBytes, digest } = this.#position;
    for (let block = this.#book.blocks.get(next.seq); block?.state === "acked"; ) {
      done.push(block);
      next = { seq: block.seq + 1, source: block.source, offset: block.offset + block.length };
      ackedBytes += block.bytes;
      digest = block.digest ?? null;
      block = this.#book.blocks.get(next.seq);
    }
    if (done.length === 0) return;
    this.#position = { ...this.#position, next, ackedBytes, digest, ...this.#sink?.kept() };
    this.#sink?.reached(next.seq);
    const storing = this.#store(done).catch(this.#fail);
    this.#storing.add(storing);
    void storing.finally(() => this.#storing.delete(storing));
  }

  async #store(done: readonly Block[]): Promise<void> {
    await this.#ownership.check();
    const sources = this.#readers.factsFrom(this.#position.next.source);
    this.#position = { ...this.#position, sources };
    const remove = (): Promise<void> => this.#removeAll(done);
    await storePosition(() => this.#write(this.#position), remove);
  }

  async #removeAll(done: readonly Block[]): Promise<void> {
    for (const block of done) {
      await this.#files.remove(block);
      this.#book.remove(block);
    }
    this.#readers.closeBefore(this.#position.next.source);
    this.#pump();
  }

  #noteHalt(): void {
    const now = performance.now();
    if (this.#haltedSince !== undefined) this.#haltedMs += now - this.#haltedSince;
    this.#haltedSince = this.#book.isHalted() ? now : undefined;
  }
}
