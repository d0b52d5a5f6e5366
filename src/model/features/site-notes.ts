/**
 * Notes at sites: what an operator wants people to know of a site, until it is taken away or is over.
 */
import type { FeatureModel } from "../feature.ts";

/** Note at a site; one at a time. Instants are Unix ms. */
interface SiteNote {
  readonly site: string;
  readonly text: string;
  readonly sinceMs: number;
  /** Null: until it is taken away. */
  readonly untilMs: number | null;
  readonly by: string;
}

interface SiteNotesTypes {
  readonly command:
    | ({ readonly kind: "noteSite" } & Omit<SiteNote, "sinceMs">)
    | { readonly kind: "clearSiteNote"; readonly site: string; readonly by: string };
  readonly event:
    | ({ readonly kind: "siteNoted" } & Omit<SiteNote, "sinceMs">)
    | { readonly kind: "siteNoteCleared"; readonly site: string; readonly by: string };
  readonly refusal: {
    readonly kind: "noteOver";
    readonly site: string;
  };
  readonly books: { readonly siteNotes: SiteNote };
  readonly action: "noteSite";
  readonly cause: { readonly kind: "siteNoted" } & Pick<SiteNote, "site" | "text" | "by">;
}

export const siteNotes: FeatureModel<SiteNotesTypes> = {
  events: { siteNoted: 1, siteNoteCleared: 1 },
  refusals: {
    noteOver: {
      status: 422,
      text: ({ site }) => ({
        what: `the note at ${site} would never be shown`,
        why: "its end is not after its start",
        remedy: "choose a later end, or omit the end and remove the note with --clear",
      }),
    },
  },
  books: { siteNotes: ({ site }) => site },
  actions: { noteSite: { may: { admin: "all", siteAdmin: "site", operator: "all" } } },
  causes: { siteNoted: ({ site, text, by }) => `${by} says of ${site}: ${text}` },
};
