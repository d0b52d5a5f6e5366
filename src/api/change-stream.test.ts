/** Changes as server-sent events: who hears of which job, and what a reader is told that returns. */
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { fakeBrokerApi } from "../../test/api/fake-broker-api.ts";
import type { Identity } from "../model/index.ts";
import { changeFeed } from "./change-stream.ts";

const reader = (who: Partial<Identity>): Identity => ({
  owner: "ann",
  consumer: "cms/ann",
  role: "user",
  ...who,
});

/** A response that keeps the data of its events; `next` resolves with the data of the next one. */
function listener() {
  const told: unknown[] = [];
  const bus = new EventEmitter();
  const response = Object.assign(new EventEmitter(), {
    writableNeedDrain: false,
    writableEnded: false,
    writeHead: () => response,
    write(text: string) {
      const data = /^data: (.*)$/m.exec(text)?.[1];
      if (data === undefined) return true;
      told.push(JSON.parse(data));
      bus.emit("told");
      return true;
    },
  });
  const until = async (count: number): Promise<unknown[]> => {
    while (told.length < count) await new Promise((resolve) => bus.once("told", resolve));
    return told;
  };
  return { response: response as unknown as ServerResponse, until, end: () => response.emit("close") };
}

describe("a feed of changes", () => {
  it("tells a reader of the jobs that they may see, collected", async () => {
    const brokerApi = fakeBrokerApi();
    const feed = changeFeed(brokerApi, 5);
    const ann = listener();
    const all = listener();
    void feed.stream(reader({}), undefined, ann.response);
    void feed.stream(reader({ owner: "olga", role: "operator" }), undefined, all.response);
    await Promise.all([ann.until(1), all.until(1)]);
    for (const [id, owner] of [
      ["anns", "ann"],
      ["bobs", "bob"],
      ["anns", "ann"],
    ] as const) {
      brokerApi.put(id, { owner });
      brokerApi.change(id, {});
    }
    expect((await all.until(2))[1]).toEqual({ head: 0, jobs: ["anns", "bobs"], all: false });
    expect((await ann.until(2))[1]).toEqual({ head: 0, jobs: ["anns"], all: false });
    ann.end();
    all.end();
  });

  it("tells who returns whether something was missed", async () => {
    const brokerApi = fakeBrokerApi();
    const feed = changeFeed(brokerApi, 5);
    const same = listener();
    const late = listener();
    void feed.stream(reader({}), "0", same.response);
    void feed.stream(reader({}), "17", late.response);
    expect((await same.until(1))[0]).toMatchObject({ all: false });
    expect((await late.until(1))[0]).toMatchObject({ all: true });
    same.end();
    late.end();
  });
});
