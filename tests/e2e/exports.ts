import { readFile } from 'node:fs/promises';
import { run } from '../../scripts/setup/command.mjs';
import { inRoot } from '../../scripts/setup/paths.mjs';

/** Reads exported files back as their consumers do. */

/** Output of `fullhouse show FILE --json` for a run file. */
export async function showRun(path: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run(process.execPath, [
    inRoot('bin', 'fullhouse.mjs'),
    'show',
    path,
    '--json',
  ]);
  if (code !== 0) throw new Error(`fullhouse show ended with ${code}: ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

/** Size of a PNG in pixels, from its header. */
export async function pngSize(path: string): Promise<{ width: number; height: number }> {
  const bytes = await readFile(path);
  const signature = bytes.subarray(0, 8).toString('latin1');
  if (signature !== '\x89PNG\r\n\x1a\n') throw new Error(`${path} is not a PNG.`);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Rows of a CSV file without quoting, by column name. */
export async function csvRows(path: string): Promise<Record<string, string>[]> {
  const text = await readFile(path, 'utf8');
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  const [header = '', ...rows] = lines;
  const names = header.replace(/^\uFEFF/, '').split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((value, index) => [names[index] ?? '', value])));
}
