import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { delayFormat, delayTable, type DelayTable } from '../../domain/delay/table';
import { errorText } from '../../domain/text/errorText';
import { FullhouseError } from '../../contract/calls';

/** Of a table's file. */
export const tableExtension = '.delay.json';
/** 200 paths of 100 repeats are less. */
const maxFileBytes = 10_000_000;

/** Parses the text of a table's file; throws one sentence, `what` names it. */
function parseDelayTable(text: string, what: string): DelayTable {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new FullhouseError('bad-table', `${what} is not a delay table: it is not JSON.`);
  }
  const parsed = delayTable.safeParse(data);
  if (parsed.success) return parsed.data;
  const version = (data as { fullhouseDelay?: unknown } | null)?.fullhouseDelay;
  if (typeof version === 'number' && version > delayFormat)
    throw new FullhouseError('bad-table', `${what} was written by a newer version of Fullhouse; update this one.`);
  const [issue] = parsed.error.issues;
  throw new FullhouseError(
    'bad-table',
    version === undefined
      ? `${what} is not a delay table: "fullhouse delay" writes those, as *${tableExtension}.`
      : `${what} is a delay table that this version can't read: ${issue?.path.join('.') ?? ''} is not valid (${issue?.message ?? ''}).`,
  );
}

/** Reads the file of a table; rejects with one sentence. */
export async function readDelayTable(path: string): Promise<DelayTable> {
  let text: string;
  try {
    const found = await stat(path);
    // Devices have no end.
    if (!found.isFile()) throw new Error('it is not a file');
    if (found.size > maxFileBytes) throw new Error('it is too large for a delay table');
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new FullhouseError('bad-table', `${path} can't be read: ${errorText(error)}.`, { cause: error });
  }
  return parseDelayTable(text, path);
}

const isSame = (a: DelayTable, b: DelayTable): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The kept tables of delay tests: a file each in a folder beside the runs. */
export class DelayTables {
  constructor(
    /** Absent: nothing is kept. */
    readonly folder: string | undefined,
    /** Without secrets. */
    private readonly masked: (table: DelayTable) => DelayTable,
  ) {}

  /** The newest first; `problems`: files that can't be read. */
  async list(): Promise<{ readonly tables: DelayTable[]; readonly problems: string[] }> {
    const problems: string[] = [];
    const found = this.folder === undefined ? [] : await this.read(this.folder, problems);
    const tables = found.map(({ table }) => table);
    return { tables: tables.sort((a, b) => b.startedMs - a.startedMs), problems };
  }

  /** Where the table of this id is. */
  path(id: string): string {
    return join(this.folder ?? '', `${id}${tableExtension}`);
  }

  /** Resolves with the table as it was kept. Rejects with one sentence. */
  async keep(unmasked: DelayTable): Promise<DelayTable> {
    const { folder } = this;
    const table = this.masked(unmasked);
    if (folder === undefined) return table;
    const path = this.path(table.id);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(`${path}.new`, `${JSON.stringify(table, undefined, 2)}\n`, { mode: 0o600 });
      await rename(`${path}.new`, path);
      return table;
    } catch (error) {
      throw new FullhouseError('not-kept', `The delay table was not saved to ${path}: ${errorText(error)}.`);
    }
  }

  /** Keeps the table of a file, with another id if a different one has its id. Rejects with one sentence. */
  async import(text: string, what: string): Promise<DelayTable> {
    const table = parseDelayTable(text, what);
    const { tables } = await this.list();
    const isTaken = (id: string): boolean => tables.some((each) => each.id === id && !isSame(each, { ...table, id }));
    let { id } = table;
    for (let number = 2; isTaken(id); number += 1) id = `${table.id.slice(0, 110)}-${number}`;
    const kept = { ...table, id };
    await this.keep(kept);
    return kept;
  }

  /** Removes the file of a table, whatever its name. Rejects with one sentence. */
  async remove(id: string): Promise<void> {
    const { folder } = this;
    if (folder === undefined) return;
    for (const { name, table } of await this.read(folder, []))
      if (table.id === id)
        try {
          await unlink(join(folder, name));
        } catch (error) {
          throw new FullhouseError('not-removed', `${join(folder, name)} was not removed: ${errorText(error)}.`);
        }
  }

  private async read(
    folder: string,
    problems: string[],
  ): Promise<ReadonlyArray<{ readonly name: string; readonly table: DelayTable }>> {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') problems.push(`${folder} can't be read: ${error.message}.`);
      return [];
    });
    const found: { readonly name: string; readonly table: DelayTable }[] = [];
    for (const name of names.filter((each) => each.endsWith(tableExtension)))
      try {
        found.push({ name, table: await readDelayTable(join(folder, name)) });
      } catch (error) {
        problems.push(errorText(error));
      }
    return found;
  }
}
