/**
 * Replaces all rows of all views in one transaction, although they arrive in parts.
 *
 * The parts are collected in temporary tables, which readers never see and no crash leaves behind; then one
 * transaction exchanges everything.
 */
import type { RowChange } from "../prepare-commit.ts";
import type { View } from "../view-catalog.ts";
import { type Database, transaction } from "./database.ts";
import { columnsSql, markStale, rowWriter, stagingTableOf, tableOf } from "./view-tables.ts";

/** A replacement of the views. */
export interface Staging {
  /** Empties the temporary tables. */
  begin(): void;
  /** Applies changes to the temporary tables. */
  stage(changes: readonly RowChange[]): void;
  /** Replaces all rows by the collected ones. */
  replace(): void;
  /** Discards the collected rows. */
  drop(): void;
}

/** Staging of one database. */
export function createStaging(database: Database, views: readonly View[]): Staging {
  const writeRow = rowWriter(database, views, stagingTableOf);

  function drop(): void {
    for (const { name } of views) database.exec(`DROP TABLE IF EXISTS ${stagingTableOf(name)}`);
  }
  return {
    begin() {
      drop();
      for (const view of views) {
        database.exec(`CREATE TABLE ${stagingTableOf(view.name)} ${columnsSql(view)}`);
      }
    },
    stage(changes) {
      transaction(database, () => {
        for (const change of changes) writeRow(change);
      });
    },
    replace() {
      transaction(database, () => {
        for (const { name } of views) {
          database.exec(`DELETE FROM ${tableOf(name)}`);
          database.exec(`INSERT INTO ${tableOf(name)} SELECT * FROM ${stagingTableOf(name)}`);
        }
        markStale(database, false);
      });
      drop();
    },
    drop,
  };
}
