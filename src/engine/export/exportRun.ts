import { stat } from 'node:fs/promises';
import { FullhouseError } from '../../contract/calls';
import type { RedactionChoice } from '../../domain/redaction';
import { writeCsv, writeHtml, writeJunit, writeMarkdown, writeSqlite } from '../report';
import { maskedReader } from './maskedReader';
import { redactedReader } from './redactReader';
import { redactorOf, writeSnapshot } from './snapshot';
import { integrityText } from '../../domain/run/integrityText';
import type { RunLibrary } from '../store';
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
