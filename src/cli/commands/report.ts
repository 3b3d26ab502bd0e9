import { resolve } from 'node:path';
import type { RedactionChoice } from '../../domain/redaction/identifyingValues';
import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import { choice, otherwise, out, withDefault } from '../options';
import { print, printStatus } from '../print';
import { redact, redactionOf } from '../redact';
import { withSavedRun } from '../savedRun';
import { UsageError } from '../usageError';

/** Formats, with the extension of their files. */
const extensions = { html: '.html', junit: '.xml', markdown: '.md', csv: '.csv', sqlite: '.sqlite' } as const;
type Format = keyof typeof extensions;
const formats = Object.keys(extensions) as readonly Format[];

export const report = command({
  name: 'report',
  operand: 'run',
  options: {
    out: otherwise(out, 'next to the run'),
    format: withDefault(choice('FORMAT', `format of the report: ${formats.join(', ')}`, formats), 'html'),
    redact: otherwise(redact, 'nothing is redacted'),
  },
  forms: [
    form(
      `RUN [--format ${formats.join('|')}] [--redact all|KINDS] [--out FILE]`,
      'write a report of a saved run (html); without customer data, if redacted',
    ),
  ],
  examples: ['report runs/lab.fullhouse', 'report runs/lab.fullhouse --format junit --redact all --out ci.xml'],
  read: ({ operand, values }) => ({
    run: operand('RUN'),
    format: formatOf(values.format),
    out: values.out,
    choice: values.redact === undefined ? undefined : redactionOf(values.redact),
  }),
  run: writeReport,
});

function formatOf(text: string): Format {
  const format = formats.find((known) => known === text);
  if (!format) throw new UsageError(`Unknown format "${text}"; use one of ${formats.join(', ')}.`);
  return format;
}

interface ReportInput {
  readonly run: string;
  readonly format: Format;
  readonly out: string | undefined;
  /** Undefined: not redacted. */
  readonly choice: RedactionChoice | undefined;
}

/** Writes the report of a saved run, by default next to its file. */
function writeReport({ run, format, ...input }: ReportInput, installation: Installation): Promise<number> {
  return withSavedRun(run, installation, async (runs, id, file) => {
    const path = resolve(input.out ?? file.replace(/\.fullhouse$/, '') + extensions[format]);
    const { remark } = await runs.call('export', { run: id, kind: format, path, choice: input.choice });
    print(path);
    if (remark !== undefined) printStatus(remark);
    return exitCodes.pass;
  });
}
