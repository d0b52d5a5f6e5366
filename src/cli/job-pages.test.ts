import { describe, expect, it } from "vitest";
import type { JobFilter, JobList } from "../api/client/index.ts";
import { JOB_STATES } from "../model/index.ts";
import { collectListed } from "./job-pages.ts";

describe("jobs of a list", () => {
  it("purged jobs are left out by the broker, however many there are", async () => {
    const asked: JobFilter[] = [];
    const jobs = async (filter: JobFilter = {}): Promise<JobList> => {
      asked.push(filter);
      // As many purged jobs as the caller has patience for.
      const isPurged = filter.state?.includes("PURGED") !== false;
      const items = isPurged ? [{ state: "PURGED" }] : [];
      return { items, next: isPurged && asked.length < 20 ? "more" : null } as unknown as JobList;
    };
    expect((await collectListed({ jobs }, { name: "n" }, 3)).items).toEqual([]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ name: "n", state: JOB_STATES.filter((state) => state !== "PURGED") });
    await collectListed({ jobs }, { state: ["PURGED"] }, 3);
    expect(asked[1]?.state).toEqual(["PURGED"]);
  });
});
