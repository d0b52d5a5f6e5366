/** The message to send, if any, about an event of the log. */
import { utcText } from "../../base/index.ts";
import {
  endOfJob,
  eventSummary,
  type JobRecord,
  jobNamedBy,
  type MailOccasion,
  mailAddress,
  runStateOf,
  type StintEvent,
} from "../../model/index.ts";
import type { BrokerApi, RecordedEvent } from "../../runtime/index.ts";
import { type Message, messageText } from "./message.ts";

/** A message about an event. */
export interface Letter {
  /** Number of the event. */
  readonly seq: number;
  readonly job: string;
  readonly to: string;
  readonly message: string;
}

/** Sender and permitted domains of mail. */
export interface Addressing {
  readonly from: string;
  /** Domains to which mail may be sent; a name without one belongs to the first. */
  readonly domains: readonly string[];
}

interface Post extends Addressing {
  readonly brokerApi: Pick<BrokerApi, "job" | "array">;
  readonly warn: (message: string) => void;
  /** True if no message about this array and occasion has been created before. */
  readonly isFirst: (subject: string) => boolean;
}

/**
 * The message about a job that begins or has ended; undefined if the job does not ask for one. For an array
 * there is one message when its first job begins, and one when its last job has ended.
 */
export async function letterAbout(post: Post, { seq, event }: RecordedEvent): Promise<Letter | undefined> {
  const occasion = occasionOf(event);
  const id = occasion === undefined ? null : jobNamedBy(event);
  const job = id === null ? undefined : await post.brokerApi.job(id);
  if (occasion === undefined || job === undefined) return undefined;
  const { mail = [], mailTo } = job.description;
  if (mail.length === 0) return undefined;
  const about = await subjectOf(post, job, occasion, eventSummary(event).text);
  if (about === undefined || !isWanted(mail, occasion, about.hasFailed)) return undefined;
  const to = mailAddress(mailTo ?? job.owner, post.domains);
  if (to === undefined) {
    const asked = JSON.stringify(mailTo ?? job.owner);
    post.warn(`job ${job.id}: no mail is sent to ${asked}, whose domain is not in server.mail.domains`);
    return undefined;
  }
  const { from } = post;
  const text = bodyOf(job, about);
  const message: Message = { from, to, subject: about.subject, text, atMs: event.atMs, id: `stint.${seq}` };
  return { seq, job: job.id, to, message: messageText(message) };
}

/**
 * Occasion for mail: the start of an attempt or the end of its job; undefined for all other events.
 */
function occasionOf(event: StintEvent): "start" | "end" | undefined {
  switch (event.kind) {
    case "attemptRunning":
      return "start";
    case "attemptEnded":
      return event.retry === undefined ? "end" : undefined;
    case "jobCancelled":
    case "jobExpired":
      return "end";
    default:
      return undefined;
  }
}

function isWanted(mail: readonly MailOccasion[], occasion: "start" | "end", hasFailed: boolean): boolean {
  return mail.includes(occasion) || (occasion === "end" && hasFailed && mail.includes("fail"));
}

interface Subject {
  readonly occasion: "start" | "end";
  readonly subject: string;
  readonly what: string;
  readonly hasFailed: boolean;
}

async function subjectOf(
  { brokerApi, isFirst }: Post,
  job: JobRecord,
  occasion: "start" | "end",
  text: string,
): Promise<Subject | undefined> {
  const { name } = job.description;
  const named = (id: string) => (name === undefined ? id : `${id} (${name})`);
  if (job.array === undefined) {
    const hasFailed = endOfJob(job) === "failed" && runStateOf(job) !== "CANCELLED";
    return { occasion, subject: `[stint] ${named(job.id)}: ${text}`, what: `job ${job.id}`, hasFailed };
  }
  const array = await brokerApi.array(job.array.id);
  if (array === undefined || (occasion === "end" && array.endedAtMs === null)) return undefined;
  if (!isFirst(`${array.id} ${occasion}`)) return undefined;
  const { failed, ABORTED } = array.counts;
  const bad = failed + ABORTED;
  const outcome = occasion === "start" ? "its first job started" : `all jobs ended, ${bad} of them failed`;
  const subject = `[stint] ${named(array.id)}: ${outcome}`;
  return { occasion, subject, what: `array ${array.id}`, hasFailed: bad > 0 };
}

/** Text of a message. One about a start does not name the end, even if the job has ended meanwhile. */
function bodyOf(job: JobRecord, { occasion, subject, what }: Subject): string {
  const { site, submittedAtMs, startedAtMs, endedAtMs, array } = job;
  const isWhole = array === undefined;
  const rows: readonly (readonly [string, string | null])[] = [
    ["submitted", utcText(submittedAtMs)],
    ["site", isWhole ? site : null],
    ["started", isWhole && startedAtMs !== null ? utcText(startedAtMs) : null],
    ["ended", isWhole && occasion === "end" && endedAtMs !== null ? utcText(endedAtMs) : null],
  ];
  const facts = rows.flatMap(([word, value]) => (value === null ? [] : [`${word.padEnd(10)} ${value}`]));
  const id = array?.id ?? job.id;
  return [
    subject.replace("[stint] ", ""),
    "",
    ...facts,
    "",
    `Details of ${what}: stint status ${id}`,
    "",
  ].join("\n");
}
