/** Order of version texts: by characters, but digits by their number. */

/**
 * −1, 0 or 1. Where the first difference is within digits, the numbers there are compared; the one with more
 * zeros before it comes first. `000 < 00 < 01 < 010 < 09 < 0 < 1 < 9 < 10`.
 */
export function versionOrder(one: string, another: string): number {
  if (one === another) return 0;
  let at = 0;
  while (at < one.length && one[at] === another[at]) at++;
  let begin = at;
  while (begin > 0 && isDigit(one[begin - 1])) begin--;
  const [a, b] = [digitsFrom(one, begin), digitsFrom(another, begin)];
  if (a === "" || b === "") return characterOrder(one, another, at);
  const [zerosA, zerosB] = [leadingZeros(a), leadingZeros(b)];
  if (zerosA !== zerosB) return zerosA > zerosB ? -1 : 1;
  if (zerosA === 0 && a.length !== b.length) return a.length < b.length ? -1 : 1;
  return characterOrder(one, another, at);
}

/** Order at one position; a text that has ended comes before a longer one. */
function characterOrder(one: string, another: string, at: number): number {
  return Math.sign(codeAt(one, at) - codeAt(another, at));
}

function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : -1;
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

function digitsFrom(text: string, begin: number): string {
  let end = begin;
  while (end < text.length && isDigit(text[end])) end++;
  return text.slice(begin, end);
}

/** Number of leading zeros; the last zero of 0 is its digit. */
function leadingZeros(digits: string): number {
  let zeros = 0;
  while (zeros < digits.length - 1 && digits[zeros] === "0") zeros++;
  return zeros;
}
