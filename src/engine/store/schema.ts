/** "Full" in ASCII, at offset 68 of the file: says that an SQLite file is a Fullhouse run. */
export const applicationId = 0x46756c6c;
/** Raised whenever a file of this version can't be read by the version before. */
export const schemaVersion = 1;
export const fileExtension = '.fullhouse';

/**
 * `sample` holds what the last minutes brought, ready to be committed once a second; whole minutes are then packed into `block`
 * (see `block.ts`). `overview` (see `overview.ts`) and what else is derived lie in tables of their own. `meta` holds JSON by key: `view`, `summary`, `engine`, `identity`, `writer`.
 */
export const schemaSql = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE series (id INTEGER PRIMARY KEY, node TEXT NOT NULL, series TEXT NOT NULL, UNIQUE (node, series));
  CREATE TABLE sample (
    time_ms INTEGER NOT NULL, series_id INTEGER NOT NULL, value REAL NOT NULL,
    PRIMARY KEY (time_ms, series_id)
  ) WITHOUT ROWID;
  CREATE TABLE block (minute_ms INTEGER PRIMARY KEY, samples INTEGER NOT NULL, data BLOB NOT NULL);
  CREATE TABLE event (id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, value TEXT NOT NULL);
  CREATE TABLE still (
    id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, cause TEXT NOT NULL, mime TEXT NOT NULL, data BLOB NOT NULL
  );
  CREATE TABLE viewer (
    tester TEXT NOT NULL, job TEXT NOT NULL, viewer INTEGER NOT NULL, state TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (tester, job, viewer)
  ) WITHOUT ROWID;
`;
