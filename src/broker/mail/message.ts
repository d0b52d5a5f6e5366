/**
 * A message as `sendmail` reads it. Nothing that a user writes is a header: a name is in the subject, without
 * control characters and encoded where it is not plain, and the text is in Base64.
 */

/** Content of a message. */
export interface Message {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly atMs: number;
  /** Part of the message id before the @; the same for the same event. */
  readonly id: string;
}

/** Largest subject, in characters. */
const MOST_SUBJECT = 150;
/** Bytes of one encoded word of a header, and of a line of Base64. */
const WORD_BYTES = 42;
const LINE_BYTES = 57;

/** Text of a message, with its headers. */
export function messageText({ from, to, subject, text, atMs, id }: Message): string {
  const domain = from.split("@")[1] ?? "localhost";
  const headers = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${headerText(subject)}`,
    `Date: ${new Date(atMs).toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${id}@${domain}>`,
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
  ];
  return `${[...headers, "", ...inPieces(text, LINE_BYTES)].join("\n")}\n`;
}

/** Text of a header: as it is where it is plain, else as encoded words (RFC 2047). */
function headerText(text: string): string {
  const shown = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")].slice(0, MOST_SUBJECT).join("");
  if (/^[ -~]*$/.test(shown) && !shown.includes("=?")) return shown;
  const words: string[] = [];
  let word = "";
  for (const letter of shown) {
    if (Buffer.byteLength(word + letter) > WORD_BYTES) {
      words.push(word);
      word = "";
    }
    word += letter;
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString("base64")}?=`).join("\n ");
}

function inPieces(text: string, bytes: number): readonly string[] {
  const whole = Buffer.from(text);
  const count = Math.ceil(whole.length / bytes);
  return Array.from({ length: count }, (_, at) =>
    whole.subarray(at * bytes, (at + 1) * bytes).toString("base64"),
  );
}
