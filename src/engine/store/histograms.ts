import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { distributionIds, type DistributionId } from '../../domain/series/distributions';
import { Histogram } from '../../domain/distribution/histogram';
import { ByteReader, ByteWriter } from '../base/bytes';
import { decodeHistogram, encodeHistogram, readHistogram } from '../base/histogramBytes';
import { blockMs } from './block';
import { isMinute, maxInflatedBytes, maxRows } from './bounds';
import { bytesAt, numberAt, textAt, type Database } from './database';
import { ensureTable, hasTable, insertRow, noteDamaged, rowState, selectRows } from './rows';
import { minuteOf } from './samples';
import { tables } from './tables';
import type { HistogramQuestion, SavedHistogram } from './types';

/**
 * The distributions of a run: of each audience, figure and second a histogram. Complete minutes are packed like samples;
 * of each a histogram of the whole minute is stored beside those of its seconds, so that hours are read quickly. A late
 * report is merged into its second: histograms add up.
 */

/**
 * Merges histograms into the file. Runs inside the caller's transaction. `isRepeat`: the file may have them already, so
 * those of a known second are left out.
 */
export function insertHistograms(database: Database, rows: readonly SavedHistogram[], isRepeat = false): void {
  if (rows.length > 0) ensureTable(database, tables.histogram);
  for (const { timeMs, audience, distribution, histogram } of rows) {
    const known = database.row(
      selectRows(database, tables.histogram, 'WHERE time_ms = ? AND audience = ? AND distribution = ?'),
      timeMs,
      audience,
      distribution,
    );
    if (isRepeat && known !== undefined) continue;
    const isKnown = known !== undefined && rowState(database, tables.histogram, known) !== 'damaged';
    const whole = isKnown ? Histogram.merged([decodeHistogram(bytesAt(known, 3)), histogram]) : histogram;
    if (!whole) continue;
    const values = [timeMs, audience, distribution, encodeHistogram(whole)];
    insertRow(database, tables.histogram, values, 'INSERT OR REPLACE');
  }
}

/** Packs every minute that ended before `beforeMs`. Runs inside the caller's transaction. */
export function packHistograms(database: Database, beforeMs: number): void {
  if (!hasTable(database, tables.histogram)) return;
  const minutes = database
    .rows(
      'SELECT DISTINCT CAST(time_ms - time_ms % ? AS INTEGER) FROM histogram WHERE time_ms < ?',
      blockMs,
      minuteOf(beforeMs),
    )
    .map((row) => numberAt(row, 0))
    .filter(isMinute);
  if (minutes.length > 0) ensureTable(database, tables.histogram_block);
  for (const minuteMs of minutes) {
    const seconds = readMinute(database, minuteMs, 1000);
    // A damaged minute is not replaced by the few histograms that followed it.
    if (database.damage.has('histogram_block', minuteMs)) continue;
    const whole = inSteps(seconds, blockMs);
    insertRow(
      database,
      tables.histogram_block,
      [minuteMs, pack(whole, minuteMs), pack(seconds, minuteMs)],
      'INSERT OR REPLACE',
    );
    database.run('DELETE FROM histogram WHERE time_ms >= ? AND time_ms < ?', minuteMs, minuteMs + blockMs);
  }
}

/**
 * All histograms from `fromMs` to `toMs` (excluded) in steps of `stepMs`, aligned to the epoch, oldest first; of several
 * audiences and figures. Steps of a minute or more are read without unpacking the seconds.
 */
export function readHistograms(
  database: Database,
  { fromMs, toMs, stepMs, wanted }: HistogramQuestion,
): readonly SavedHistogram[] {
  const histograms: SavedHistogram[] = [];
  for (const minuteMs of minutesWithHistograms(database, fromMs, toMs)) {
    const isWhole = stepMs % blockMs === 0 && minuteMs >= fromMs && minuteMs + blockMs <= toMs;
    for (const sample of readMinute(database, minuteMs, isWhole ? blockMs : 1000))
      if (sample.timeMs >= (isWhole ? minuteMs : fromMs) && sample.timeMs < toMs && (!wanted || wanted(sample)))
        histograms.push(sample);
  }
  return inSteps(histograms, stepMs);
}

/** Merged by step, audience and figure. */
function inSteps(rows: readonly SavedHistogram[], stepMs: number): SavedHistogram[] {
  const merged = new Map<string, SavedHistogram>();
  for (const row of rows) {
    const timeMs = Math.floor(row.timeMs / stepMs) * stepMs;
    const key = `${timeMs} ${row.audience} ${row.distribution}`;
    const known = merged.get(key);
    if (known) known.histogram.merge(row.histogram);
    else merged.set(key, { ...row, timeMs, histogram: Histogram.merged([row.histogram]) ?? row.histogram });
  }
  return [...merged.values()].sort((a, b) => a.timeMs - b.timeMs);
}

function minutesWithHistograms(database: Database, fromMs: number, toMs: number): number[] {
  const starts = new Set<number>();
  if (hasTable(database, tables.histogram_block))
    for (const row of database.rows(
      'SELECT minute_ms FROM histogram_block WHERE minute_ms >= ? AND minute_ms < ? LIMIT ?',
      minuteOf(fromMs),
      toMs,
      maxRows.histogram_block,
    ))
      starts.add(numberAt(row, 0));
  if (hasTable(database, tables.histogram))
    for (const row of database.rows(
      'SELECT DISTINCT CAST(time_ms - time_ms % ? AS INTEGER) FROM histogram WHERE time_ms >= ? AND time_ms < ? LIMIT ?',
      blockMs,
      fromMs,
      toMs,
      maxRows.histogram_block,
    ))
      starts.add(numberAt(row, 0));
  return [...starts].filter(isMinute).sort((a, b) => a - b);
}

/** A minute's histograms per second, or of the whole minute (then also that of its unpacked seconds, which add up). */
function readMinute(database: Database, minuteMs: number, stepMs: 1000 | typeof blockMs): SavedHistogram[] {
  const histograms = packed(database, minuteMs, stepMs === blockMs ? 1 : 2);
  if (hasTable(database, tables.histogram))
    for (const row of database.rows(
      selectRows(database, tables.histogram, 'WHERE time_ms >= ? AND time_ms < ? ORDER BY time_ms'),
      minuteMs,
      minuteMs + blockMs,
    )) {
      if (rowState(database, tables.histogram, row) === 'damaged') continue;
      try {
        const distribution = knownDistribution(textAt(row, 2));
        const histogram = decodeHistogram(bytesAt(row, 3));
        if (distribution)
          histograms.push({ timeMs: numberAt(row, 0), audience: numberAt(row, 1), distribution, histogram });
      } catch {
        noteDamaged(database, tables.histogram, row);
      }
    }
  return inSteps(histograms, stepMs);
}

function packed(database: Database, minuteMs: number, column: 1 | 2): SavedHistogram[] {
  if (!hasTable(database, tables.histogram_block) || database.damage.has('histogram_block', minuteMs)) return [];
  const row = database.row(selectRows(database, tables.histogram_block, 'WHERE minute_ms = ?'), minuteMs);
  if (!row || rowState(database, tables.histogram_block, row) === 'damaged') return [];
  try {
    return unpack(bytesAt(row, column), minuteMs);
  } catch {
    noteDamaged(database, tables.histogram_block, row);
    return [];
  }
}

/** A figure of a later version is left out. */
const knownDistribution = (name: string): DistributionId | undefined => distributionIds.find((id) => id === name);

const format = 1;

/** Histograms of a minute, deflated: the names of their figures, then of each its second, audience, figure and bytes. */
function pack(rows: readonly SavedHistogram[], minuteMs: number): Uint8Array {
  const names = [...new Set(rows.map(({ distribution }) => distribution))];
  const out = new ByteWriter();
  out.unsigned(format);
  out.unsigned(names.length);
  for (const name of names) {
    const text = new TextEncoder().encode(name);
    out.unsigned(text.length);
    out.append(text);
  }
  out.unsigned(rows.length);
  for (const { timeMs, audience, distribution, histogram } of rows) {
    out.unsigned((timeMs - minuteMs) / 1000);
    out.unsigned(audience);
    out.unsigned(names.indexOf(distribution));
    out.append(encodeHistogram(histogram));
  }
  return deflateRawSync(out.bytes());
}

function unpack(data: Uint8Array, minuteMs: number): SavedHistogram[] {
  const bytes = new ByteReader(inflateRawSync(data, { maxOutputLength: maxInflatedBytes }));
  const savedFormat = bytes.unsigned();
  if (savedFormat !== format) throw new Error(`Histograms are packed in format ${savedFormat}, which is unknown.`);
  const names = Array.from({ length: bytes.count(1) }, () => bytes.text(bytes.count(1)));
  const rows: SavedHistogram[] = [];
  for (let remaining = bytes.count(20); remaining > 0; remaining -= 1) {
    const timeMs = minuteMs + bytes.unsigned() * 1000;
    const audience = bytes.unsigned();
    const name = names[bytes.unsigned()];
    const histogram = readHistogram(bytes);
    if (name === undefined || timeMs >= minuteMs + blockMs) throw new Error('Packed histograms are out of bounds.');
    const distribution = knownDistribution(name);
    if (distribution) rows.push({ timeMs, audience, distribution, histogram });
  }
  if (bytes.left > 0) throw new Error('Packed histograms are followed by other bytes.');
  return rows;
}
