import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { seriesDefinition, type SampleBatch } from '../../domain/series';
import type { RunReader } from '../store';

const samplesAtOnce = 20_000;

/** A cell, quoted where RFC 4180 wants it. */
function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The names of the columns, as the first line of a file. */
export const csvHead = 'time,node,series,unit,value\r\n';

/** Samples as lines: time (ISO 8601, UTC), node, series, unit, value as a plain number. */
export function csvLines(
  { keys, key, timeMs, value }: SampleBatch,
  nameOf: (node: string) => string = (node) => node,
): string {
  const middles = keys.map(({ node, series }) =>
    [nameOf(node), series, seriesDefinition(series)?.unit ?? ''].map(cell).join(','),
  );
  return key
    .map(
      (place, i) =>
        `${new Date(timeMs[i] ?? 0).toISOString()},${middles[place] ?? ''},${String(value[i])}\r\n`,
    )
    .join('');
}

/** Lines of the file, some thousands at a time. */
function* csvText(reader: RunReader): Generator<string> {
  const names = new Map(reader.view().nodes.map((node) => [node.id, node.name]));
  yield csvHead;
  for (let from: number | null = 0; from !== null;) {
    const page: ReturnType<RunReader['samples']> = reader.samples(
      from,
      Number.MAX_SAFE_INTEGER,
      samplesAtOnce,
    );
    yield csvLines(page.batch, (node) => names.get(node) ?? node);
    from = page.nextMs;
  }
}

/** Writes every sample: time (ISO 8601, UTC), node, series, unit, value as a plain number. Rejects with the file system's error. */
export async function writeCsv(reader: RunReader, path: string): Promise<void> {
  await pipeline(Readable.from(csvText(reader)), createWriteStream(path));
}
