/**
 * Records that stay in memory by key for as long as they are there. A feature says in `src/model/features`
 * which it has; `register.ts` changes, stores and restores them.
 */
import { BOOKS, type Books } from "../../model/index.ts";

/** The name of a book, which is that of its view too. */
export type BookName = keyof Books;

/** The records of every book. */
export type RecordsInBooks = { readonly [Name in BookName]: Map<string, Books[Name]> };

/** Books as read at a restart. */
export type StoredBooks = { readonly [Name in BookName]?: readonly Books[Name][] };

/** A record of a book that is new, changed, or (undefined) gone. */
export interface ChangeIn<Name extends BookName> {
  readonly kind: "book";
  readonly book: Name;
  readonly key: string;
  readonly record: Books[Name] | undefined;
}
/** A change of any book. */
export type BookChange = { readonly [Name in BookName]: ChangeIn<Name> }[BookName];

/** Names of all books. */
export const BOOK_NAMES = Object.keys(BOOKS) as readonly BookName[];

/** Every book, with nothing in it. */
export function emptyBooks(): RecordsInBooks {
  return Object.assign({}, ...BOOK_NAMES.map((name) => ({ [name]: new Map() })));
}

/** A record is written: under the key that its book finds it by. */
export function written<Name extends BookName>(book: Name, record: Books[Name]): ChangeIn<Name> {
  return { kind: "book", book, key: keyIn(book, record), record };
}

/** The record of a key is gone. */
export function erased<Name extends BookName>(book: Name, key: string): ChangeIn<Name> {
  return { kind: "book", book, key, record: undefined };
}

/** Carries out a change. */
export function changeBook<Name extends BookName>(books: RecordsInBooks, change: ChangeIn<Name>): void {
  const { key, record } = change;
  const book: RecordsInBooks[Name] = books[change.book];
  if (record === undefined) book.delete(key);
  else book.set(key, record);
}

/** Takes over what was stored. */
export function restoreBooks(books: RecordsInBooks, stored: StoredBooks): void {
  for (const name of BOOK_NAMES) restoreBook(books, stored, name);
}

function restoreBook<Name extends BookName>(books: RecordsInBooks, stored: StoredBooks, name: Name): void {
  const records: StoredBooks[Name] = stored[name];
  for (const record of records ?? []) changeBook(books, written(name, record));
}

function keyIn<Name extends BookName>(name: Name, record: Books[Name]): string {
  const book: (typeof BOOKS)[Name] = BOOKS[name];
  return book(record);
}
