import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { seriesDefinition } from '../../domain/series';
import type { RunReader } from '../store';

const samplesAtOnce = 20_000;

/** A cell, quoted where RFC 4180 wants it. */
function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines of the file, some thousands at a time. */
function* csvText(reader: RunReader): Generator<string> {
  const names = new Map(reader.view().nodes.map((node) => [node.id, node.name]));
  yield 'time,node,series,unit,value\r\n';
  for (let from: number | null = 0; from !== null;) {
    const page: ReturnType<RunReader['samples']> = reader.samples(
      from,
      Number.MAX_SAFE_INTEGER,
      samplesAtOnce,
    );
    const { keys, key, timeMs, value } = page.batch;
    const middles = keys.map(({ node, series }) =>
      [names.get(node) ?? node, series, seriesDefinition(series)?.unit ?? ''].map(cell).join(','),
    );
    const lines = key.map(
      (place, i) =>
        `${new Date(timeMs[i] ?? 0).toISOString()},${middles[place] ?? ''},${String(value[i])}\r\n`,
    );
    yield lines.join('');
    from = page.nextMs;
  }
}

/** Writes every sample: time (ISO 8601, UTC), node, series, unit, value as a plain number. Rejects with the file system's error. */
export async function writeCsv(reader: RunReader, path: string): Promise<void> {
  await pipeline(Readable.from(csvText(reader)), createWriteStream(path));
}
