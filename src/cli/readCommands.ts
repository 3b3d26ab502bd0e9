import { resolve } from 'node:path';
import { exportRun } from '../engine/exportRun';
import { readKept } from '../engine/store';
import { withKeptRun } from './keptRun';
import { resultOf } from './result';
import { resultText } from './resultText';
import type { ReportCommand, ReportFormat } from './shareArgs';

/** Shows what came of a kept run. */
export function showCommand({
  run,
  json,
}: {
  readonly run: string;
  readonly json: boolean;
}): Promise<number> {
  return withKeptRun(run, (library, id, file) => {
    const text = readKept(library, id, (reader) => {
      const result = resultOf(reader, file, null);
      return json ? JSON.stringify(result) : resultText(reader.view().verdict, result);
    });
    process.stdout.write(`${text}\n`);
    return 0;
  });
}

const extensions: Readonly<Record<ReportFormat, string>> = {
  html: '.html',
  junit: '.xml',
  markdown: '.md',
  csv: '.csv',
};

/** Writes the report of a kept run, by default beside its file. */
export function reportCommand({ run, format, out, choice }: ReportCommand): Promise<number> {
  return withKeptRun(run, async (library, id, file) => {
    const path = resolve(out ?? file.replace(/\.fullhouse$/, '') + extensions[format]);
    await exportRun(library, id, format, path, choice);
    process.stdout.write(`${path}\n`);
    return 0;
  });
}
