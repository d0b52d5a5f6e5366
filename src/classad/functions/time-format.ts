/** Formatted times: the placeholders of `formatTime`, in English in every locale. */

/** Parts of an instant in its zone; days of the year and of the week count from 0, Sunday as 0. */
export interface TimeFields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly dayOfYear: number;
  readonly dayOfWeek: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly offsetSeconds: number;
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

const placeholders: Readonly<Record<string, (fields: TimeFields) => string>> = {
  "%": () => "%",
  a: (it) => WEEKDAYS[it.dayOfWeek].slice(0, 3),
  A: (it) => WEEKDAYS[it.dayOfWeek],
  b: (it) => MONTHS[it.month - 1].slice(0, 3),
  B: (it) => MONTHS[it.month - 1],
  c: (it) => formatTime(it, "%a %b %e %H:%M:%S %Y"),
  d: (it) => padded(it.day),
  e: (it) => String(it.day).padStart(2),
  H: (it) => padded(it.hours),
  I: (it) => padded(((it.hours + 11) % 12) + 1),
  j: (it) => padded(it.dayOfYear + 1, 3),
  m: (it) => padded(it.month),
  M: (it) => padded(it.minutes),
  p: (it) => (it.hours < 12 ? "AM" : "PM"),
  S: (it) => padded(it.seconds),
  U: (it) => padded(Math.floor((it.dayOfYear + 7 - it.dayOfWeek) / 7)),
  w: (it) => String(it.dayOfWeek),
  W: (it) => padded(Math.floor((it.dayOfYear + 7 - ((it.dayOfWeek + 6) % 7)) / 7)),
  x: (it) => formatTime(it, "%m/%d/%y"),
  X: (it) => formatTime(it, "%H:%M:%S"),
  y: (it) => padded(((it.year % 100) + 100) % 100),
  Y: (it) => String(it.year),
  Z: (it) => zoneText(it.offsetSeconds),
};

/** A text with its placeholders filled in; other text is unchanged. */
export function formatTime(fields: TimeFields, format: string): string {
  return format.replace(/%([a-zA-Z%])/g, (written: string, letter: string) => {
    const placeholder = Object.hasOwn(placeholders, letter) ? placeholders[letter] : undefined;
    return placeholder === undefined ? written : placeholder(fields);
  });
}

/** `17+1:02:03`, without leading parts that are 0; the first part shown is not padded. */
export function intervalText(seconds: number): string {
  const size = Math.abs(seconds);
  const days = Math.floor(size / 86_400);
  const [hours, minutes, rest] = [Math.floor(size / 3_600) % 24, Math.floor(size / 60) % 60, size % 60];
  const sign = seconds < 0 ? "-" : "";
  if (days > 0) return `${sign}${days}+${hours}:${padded(minutes)}:${padded(rest)}`;
  if (hours > 0) return `${sign}${hours}:${padded(minutes)}:${padded(rest)}`;
  return minutes > 0 ? `${sign}${minutes}:${padded(rest)}` : `${sign}${rest}`;
}

function zoneText(offsetSeconds: number): string {
  if (offsetSeconds === 0) return "UTC";
  const size = Math.abs(offsetSeconds);
  const minutes = padded(Math.floor((size % 3_600) / 60));
  return `${offsetSeconds < 0 ? "-" : "+"}${padded(Math.floor(size / 3_600))}:${minutes}`;
}

function padded(value: number, digits = 2): string {
  return String(value).padStart(digits, "0");
}
