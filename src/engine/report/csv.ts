import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { seriesDefinition, type SampleBatch } from '../../domain/series/series';
import { csvCell } from '../../domain/text/escape/csv';
import type { RunReader } from '../store';

/** The names of the columns, as the first line of a file. */
export const csvHead = 'time,node,series,unit,value\r\n';

/** Samples as lines: time (ISO 8601, UTC), node, series, unit, value as a plain number. */
export function csvLines(
  { keys, key, timeMs, value }: SampleBatch,
  nameOf: (node: string) => string = (node) => node,
): string {
  const middles = keys.map(({ node, series }) =>
    [nameOf(node), series, seriesDefinition(series)?.unit ?? ''].map(csvCell).join(','),
  );
  let atMs = NaN;
  let time = '';
  return key
    .map((place, i) => {
      // A node's series share their timestamps, and formatting one costs more than the rest of the line.
      if (timeMs[i] !== atMs) {
        atMs = timeMs[i] ?? 0;
        time = new Date(atMs).toISOString();
      }
      return `${time},${middles[place] ?? ''},${String(value[i])}\r\n`;
    })
    .join('');
}

/** Lines of the file, a minute at a time. */
function* csvText(reader: RunReader): Generator<string> {
  const names = new Map(reader.view().nodes.map((node) => [node.id, node.name]));
  yield csvHead;
  for (const batch of reader.minutes()) yield csvLines(batch, (node) => names.get(node) ?? node);
}

/**
 * Writes every sample: time (ISO 8601, UTC), node, series, unit, value as a plain number. Rejects with the file
 * system's error.
 */
export async function writeCsv(reader: RunReader, path: string): Promise<void> {
  await pipeline(Readable.from(csvText(reader)), createWriteStream(path));
}
