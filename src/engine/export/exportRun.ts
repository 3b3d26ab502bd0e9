import { stat } from 'node:fs/promises';
import { FullhouseError } from '../../contract/calls';
import type { RedactionChoice } from '../../domain/redaction';
import { SecretMask } from '../../domain/secrets/secretMask';
import { writeCsv, writeHtml, writeJunit, writeMarkdown, writeSqlite } from '../report';
import { redactedReader } from './redactReader';
import { redactorOf, writeSnapshot } from './snapshot';
import { integrityText } from '../../domain/run/integrityText';
import type { RunLibrary, RunReader } from '../store';
import { reasonOf } from '../store/failure';

export type ExportFormat = 'fullhouse' | 'html' | 'csv' | 'junit' | 'markdown' | 'sqlite';

/**
 * Writes a run in one of its formats; resolves with the file's path and size, and with notes on its data that the file
 * itself can't contain. With a choice it removes what identifies the customer. Rejects with `export-failed` and a
 * sentence.
 */
export async function exportRun(
  library: RunLibrary,
  run: string,
  kind: ExportFormat,
  path: string,
  choice?: RedactionChoice,
): Promise<{ path: string; bytes: number; remark?: string }> {
  if (kind === 'fullhouse') {
    const { bytes } = choice ? writeSnapshot(library, run, choice, path) : library.exportFile(run, path);
    return { path, bytes };
  }
  const whole = maskedReader(library.open(run));
  try {
    const reader = choice ? redactedReader(whole, redactorOf(library, run, choice)) : whole;
    switch (kind) {
      case 'html':
        writeHtml(reader, path);
        break;
      case 'csv':
        await writeCsv(reader, path);
        break;
      case 'junit':
        writeJunit(reader, path);
        break;
      case 'markdown':
        writeMarkdown(reader, path);
        break;
      case 'sqlite':
        writeSqlite(reader, path);
        break;
    }
    const { size: bytes } = await stat(path);
    const remark = integrityText(whole.integrity());
    return remark === undefined ? { path, bytes } : { path, bytes, remark };
  } catch (error) {
    if (error instanceof FullhouseError) throw error;
    throw new FullhouseError('export-failed', `${path} can't be written: ${reasonOf(error)}.`, {
      cause: error,
    });
  } finally {
    whole.close();
  }
}

/**
 * A run as read for a report. Runs recorded before the engine masked what it writes contain addresses with secrets,
 * recognisable by their position in the address. Each of these is masked in the other texts as well.
 */
function maskedReader(reader: RunReader): RunReader {
  const mask = new SecretMask();
  mask.addAddresses(JSON.stringify(reader.view().plan));
  return {
    id: reader.id,
    view: () => mask.value(reader.view(), ['view']),
    engine: () => reader.engine(),
    integrity: () => reader.integrity(),
    events: () => mask.value(reader.events(), ['event']),
    stills: () => reader.stills(),
    stillData: (id) => reader.stillData(id),
    samples: (fromMs, toMs, limit) => reader.samples(fromMs, toMs, limit),
    overview: (fromMs, toMs, columns, series) => reader.overview(fromMs, toMs, columns, series),
    histograms: (question) => reader.histograms(question),
    count: () => reader.count(),
    keys: () => reader.keys(),
    minutes: () => reader.minutes(),
    prepare: (series) => reader.prepare(series),
    values: (node, series, fromMs, toMs) => reader.values(node, series, fromMs, toMs),
    summaries: (fromMs, toMs) => reader.summaries(fromMs, toMs),
    viewers: (offset, limit, state) => mask.value(reader.viewers(offset, limit, state), ['viewer']),
    close: () => reader.close(),
  };
}
