/** `/archives`: lists the archives of the log, and moves old events into a new one. */
import { archiveRequest } from "../../contract/index.ts";
import { archiveView } from "../archive-view.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes of archives. */
export function addArchives(api: Api, { brokerApi, archiving }: RouteWorld): void {
  api.get(
    urlOf("listArchives"),
    {
      config: forThoseWhoMay("seeLog"),
      schema: {
        summary: "List the archives of the log",
        tags: ["events"],
        response: answers("ArchiveList", 200),
      },
    },
    async () => ({ items: (await brokerApi.archives()).map((archive) => archiveView(archive, true)) }),
  );
  api.post(
    urlOf("archiveEvents"),
    {
      config: forThoseWhoMay("archiveLog"),
      schema: {
        summary: "Move old events of the log into an archive",
        description:
          "Into one file in the directory `archive` of the broker's state directory. The response lists " +
          "the new archives; it is empty if no event is that old. Jobs, accounts, policies and usage are " +
          "not affected.",
        tags: ["events"],
        body: archiveRequest,
        response: answers("ArchiveList", 200),
      },
    },
    async ({ body: { olderThanSec } }) => {
      const made = await archiving.archive(olderThanSec * 1000);
      return { items: made.map((archive) => archiveView(archive, true)) };
    },
  );
}
