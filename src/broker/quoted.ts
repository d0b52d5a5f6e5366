/** The text as one word of a shell, in which nothing is expanded. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
