/** Settings of a broker's log for its operator. */

/** Formats of a line. */
export const LOG_FORMATS = ["text", "json"] as const;

/** Levels, from the one that writes most. */
export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

/** Format of a line. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Lowest level that is written. */
export type LogLevel = (typeof LOG_LEVELS)[number];
