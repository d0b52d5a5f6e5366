/**
 * The choice table of a hypothetical job, made of each site's answer (rule BR-18).
 */
import {
  type ChoiceRow,
  meets,
  type Projection,
  queuedCost,
  recommend,
  scoresNow,
  selectorOf,
  worthTaking,
} from "../engine/index.ts";
import { isImitating, voOf } from "../model/index.ts";
import { drawnFrom, selectSite } from "../policy/index.ts";
import type { Choice, Prospect, ProspectQuestion } from "../runtime/index.ts";

/** The start that is as likely as not. */
const LIKELY = 0.5;

/** The prospects with their rows; those that are recommended, and the one that is taken, are marked. */
export function withChoices(
  projection: Projection,
  prospects: readonly Prospect[],
  question: ProspectQuestion,
  nowMs: number,
): readonly Prospect[] {
  const { consumer } = question;
  if (consumer === undefined) return prospects;
  const rows = rowsOf(projection, prospects, { ...question, consumer }, nowMs);
  const { condition } = question;
  const possible = rows.filter(({ site }) => mayBeTaken(projection, site, question));
  const meeting = condition === undefined ? possible : possible.filter((row) => meets(condition, row, nowMs));
  const open = meeting.filter(({ takesJobs, honoured }) => takesJobs && honoured !== "never");
  const taken = takenOf(projection, worthTaking(meeting), { ...question, consumer }, nowMs);
  const choices = new Map(
    rows.map((row): [string, Choice] => [
      row.site,
      { row, isRecommended: open.includes(row), isChosen: row === taken },
    ]),
  );
  return prospects.map((prospect) => {
    const choice = choices.get(prospect.site);
    return choice === undefined ? prospect : { ...prospect, choice };
  });
}

/** True if a site may be chosen; one that only imitates runs must be named in the question. */
function mayBeTaken({ sites }: Projection, name: string, question: ProspectQuestion): boolean {
  const site = sites.get(name);
  return site !== undefined && (!isImitating(site.spec) || question.sites?.includes(name) === true);
}

type Asked = ProspectQuestion & { readonly consumer: string };

function rowsOf(
  projection: Projection,
  prospects: readonly Prospect[],
  { consumer, job }: Asked,
  nowMs: number,
): readonly ChoiceRow[] {
  const { procs, gpus, memoryBytes, limitMs } = job;
  const found = new Map(prospects.map((prospect) => [prospect.site, prospect]));
  const sites = prospects.flatMap(({ site }) => projection.sites.get(site) ?? []);
  const scores = scoresNow(projection, nowMs);
  const need = { cpu: procs, gpu: gpus, memory: memoryBytes };
  const table = recommend(
    projection,
    {
      ...{ consumer, need, sites },
      factsOf: (site) => ({
        startMs: likelyStartMs(found.get(site.name)),
        costProcMs: queuedCost(site, { consumer, procs, limitMs }, nowMs),
        isUnfit: (found.get(site.name)?.unfit ?? null) !== null,
        comingProcs: 0,
      }),
    },
    nowMs,
  );
  return table.map((row) => ({ ...row, score: scores.get(row.site) ?? row.score }));
}

function likelyStartMs(prospect: Prospect | undefined): number | null {
  const { forecast = null, noRecord = null } = prospect?.when ?? {};
  const likely = forecast?.promises.find(({ probability }) => probability === LIKELY);
  return likely?.startAtMs ?? noRecord?.scheduled?.startAtMs ?? null;
}

/** Row that the selector takes; undefined without a selector, or where no site can be chosen. */
function takenOf(
  { vos }: Projection,
  rows: readonly ChoiceRow[],
  { selector, consumer, job, transferMs }: Asked,
  nowMs: number,
): ChoiceRow | undefined {
  const by = selector ?? selectorOf(vos, consumer);
  if (by === null) return undefined;
  const lastSite = vos.records.get(voOf(consumer))?.lastSite ?? null;
  // A job that is only thought of has no id: who asks for how much, and when, stands for it.
  const drawn = drawnFrom(`${consumer} ${job.procs} ${nowMs}`);
  // A start counts from when the input data are there.
  const ready = rows.map(({ predictedStartMs: startMs, ...row }) => ({
    ...row,
    predictedStartMs: startMs === null ? null : startMs + (transferMs?.get(row.site) ?? 0),
  }));
  const taken = selectSite(ready, by, { lastSite, drawn });
  return rows.find(({ site }) => site === taken?.site);
}
