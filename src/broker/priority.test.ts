import { describe, expect, it } from "vitest";
import { add, logged, openScripted, pass, start, submit, worldForEach } from "../../test/foreign-broker.ts";
import { Fault } from "../base/index.ts";
import type { SiteAbility } from "../runtime/index.ts";
import type { Broker } from "./index.ts";

worldForEach();

/** A broker with a job in the queue of a cluster that has priorities, up to 100 without a raise. */
async function withPriorities(): Promise<{ readonly broker: Broker; readonly given: string[] }> {
  const given: string[] = [];
  const broker = await start({
    async openSite(name, spec) {
      const opened = await openScripted(name, spec);
      if (opened.kind !== "foreign") return opened;
      const abilities = new Set<SiteAbility>([...opened.site.abilities, "setPriority"]);
      const setPriority = async (at: { siteJob: string }, priority: number, mayRaise: boolean) => {
        const isRaised = priority > 100 && !mayRaise;
        const words = { what: "no", why: "above 100", remedy: "less" };
        if (isRaised) throw new Fault({ kind: "notAllowed", code: "priorityRaised", ...words });
        given.push(`${at.siteJob}: ${priority}`);
      };
      return { ...opened, site: { ...opened.site, abilities, setPriority } };
    },
  });
  await add(broker, "far");
  await submit(broker, "a", "far");
  await pass(1000);
  return { broker, given };
}

const edit = (broker: Broker, priority: number, mayRaise = false) =>
  broker.brokerApi.ask({ kind: "editJob", job: "a", change: { priority }, by: "ann", mayRaise });

describe("the priority of a job at a cluster", () => {
  it("BR-5 is recorded, then set in the cluster's queue", async () => {
    const { broker, given } = await withPriorities();
    expect(await edit(broker, 40)).toMatchObject({ ok: true });
    const siteJob = (await broker.brokerApi.job("a"))?.siteJob;
    expect(given).toEqual([`${siteJob}: 40`]);
    expect(await logged("jobEdited")).toBe(1);
  });

  it("is raised for whoever may; others get the cluster's refusal", async () => {
    const { broker, given } = await withPriorities();
    await expect(edit(broker, 200)).rejects.toMatchObject({ code: "priorityRaised" });
    expect(await edit(broker, 200, true)).toMatchObject({ ok: true });
    expect(given).toHaveLength(1);
  });

  it("is refused where the queue has none, and nothing is recorded", async () => {
    const broker = await start();
    await add(broker, "far");
    await submit(broker, "a", "far");
    await pass(1000);
    expect(await edit(broker, 40)).toMatchObject({
      refusal: { kind: "notEditable", why: { kind: "noPriority", because: "arrivalOrder" } },
    });
  });
});
