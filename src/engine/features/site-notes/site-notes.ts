/**
 * Notes at sites. A site has one note at a time; it is shown until its end, its removal or the next note,
 * also in the explanation of jobs that wait there, and is removed with its site.
 */
import { accepted, refused } from "../../../base/index.ts";
import type { Answer, CommandOf, Feature } from "../../feature.ts";
import { erased, written } from "../../state/books.ts";
import type { Projection } from "../../state/projection.ts";

export const siteNotes = {
  name: "site-notes",
  answers: { noteSite, clearSiteNote },
  applies: {
    siteNoted: (_, { site, text, untilMs, by, atMs: sinceMs }) => [
      written("siteNotes", { site, text, sinceMs, untilMs, by }),
    ],
    siteNoteCleared: (_, { site }) => [erased("siteNotes", site)],
  },
  after: ({ books }, event) =>
    event.kind === "siteRemoved" && books.siteNotes.has(event.site) ? [erased("siteNotes", event.site)] : [],
  queries: {
    /** The note that stands at a site now; undefined where there is none. */
    siteNote: (projection: Projection, site: string, nowMs: number) => standing(projection, site, nowMs),
  },
  explain: {
    everywhere: (projection, { site, description, startedAtMs }, nowMs) => {
      const note = standing(projection, site ?? description.site ?? "", nowMs);
      if (note === undefined || startedAtMs !== null) return [];
      return [{ kind: "siteNoted", site: note.site, text: note.text, by: note.by }];
    },
  },
} as const satisfies Feature;

function standing({ books }: Projection, site: string, nowMs: number) {
  const note = books.siteNotes.get(site);
  return note === undefined || (note.untilMs !== null && note.untilMs <= nowMs) ? undefined : note;
}

/** Records a note on a site; an equal note changes nothing. */
function noteSite(
  { sites, books }: Projection,
  { site, text, untilMs, by }: CommandOf<"noteSite">,
  nowMs: number,
): Answer {
  if (!sites.has(site)) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
  if (untilMs !== null && untilMs <= nowMs) return refused({ kind: "noteOver", site });
  const before = books.siteNotes.get(site);
  if (before?.text === text && before.untilMs === untilMs) return accepted([]);
  return accepted([{ kind: "siteNoted", site, text, untilMs, by, atMs: nowMs }]);
}

/** Removes the note of a site; without a note nothing changes. */
function clearSiteNote(
  { sites, books }: Projection,
  { site, by }: CommandOf<"clearSiteNote">,
  nowMs: number,
): Answer {
  if (!sites.has(site)) return refused({ kind: "unknownSite", site, known: [...sites.keys()] });
  if (!books.siteNotes.has(site)) return accepted([]);
  return accepted([{ kind: "siteNoteCleared", site, by, atMs: nowMs }]);
}
