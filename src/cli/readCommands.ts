import { resolve } from 'node:path';
import type { Installation } from './installation';
import { resultLines } from './resultLines';
import { withSavedRun } from './savedRun';
import type { ReportCommand, ReportFormat } from './shareArgs';
import { print, printJson, printResult, printStatus } from './print';

/** Shows the result of a saved run. */
export function showCommand(
  { run, json }: { readonly run: string; readonly json: boolean },
  installation: Installation,
): Promise<number> {
  return withSavedRun(run, installation, async (runs, id, file) => {
    const result = await runs.call('result', { run: id, file, report: null });
    if (json) printJson(result);
    else printResult(resultLines((await runs.call('view', { run: id })).verdict, result));
    return 0;
  });
}

const extensions: Readonly<Record<ReportFormat, string>> = {
  html: '.html',
  junit: '.xml',
  markdown: '.md',
  csv: '.csv',
  sqlite: '.sqlite',
};

/** Writes the report of a saved run, by default next to its file. */
export function reportCommand(
  { run, format, out, choice }: ReportCommand,
  installation: Installation,
): Promise<number> {
  return withSavedRun(run, installation, async (runs, id, file) => {
    const path = resolve(out ?? file.replace(/\.fullhouse$/, '') + extensions[format]);
    const { remark } = await runs.call('export', { run: id, kind: format, path, choice });
    print(path);
    if (remark !== undefined) printStatus(remark);
    return 0;
  });
}
