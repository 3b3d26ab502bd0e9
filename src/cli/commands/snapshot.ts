import { resolve } from 'node:path';
import {
  identifyingKinds,
  type IdentifyingValue,
  type RedactionChoice,
} from '../../domain/redaction/identifyingValues';
import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import { json, list, otherwise, out, withDefault } from '../options';
import { print, printJson, printStatus } from '../print';
import { redact, redactionOf } from '../redact';
import { withSavedRun } from '../savedRun';
import { UsageError } from '../usageError';

export const snapshot = command({
  name: 'snapshot',
  operand: 'run',
  options: { out: otherwise(out, 'snapshot.fullhouse'), redact: withDefault(redact, 'all'), list, json },
  forms: [
    form(
      'RUN [--redact all|KINDS] [--out FILE] [--list] [--json]',
      'write a redacted copy of a saved run for support (all), or only list what would be redacted',
    ),
  ],
  examples: ['snapshot runs/lab.fullhouse --list', 'snapshot runs/lab.fullhouse --out for-support.fullhouse'],
  read: ({ operand, values }) => {
    if (values.list && values.out !== undefined) throw new UsageError('--list writes nothing; remove --out or --list.');
    return {
      ...{ run: operand('RUN'), out: values.out, list: values.list, json: values.json },
      choice: redactionOf(values.redact),
    };
  },
  run: writeSnapshot,
});

interface SnapshotInput {
  readonly run: string;
  readonly out: string | undefined;
  readonly choice: RedactionChoice;
  /** Lists what would be redacted and writes nothing. */
  readonly list: boolean;
  readonly json: boolean;
}

/** Writes a redacted copy of a saved run, or only lists what would be redacted. */
function writeSnapshot({ run, choice, ...input }: SnapshotInput, installation: Installation): Promise<number> {
  return withSavedRun(run, installation, async (runs, id, file) => {
    if (input.list) {
      const keptKinds = new Set<string>(choice.keepKinds);
      const all = await runs.call('previewSnapshot', { run: id });
      const values = all.filter(({ kind }) => !keptKinds.has(kind));
      if (input.json) printJson(values);
      else print(...listLines(values));
      return exitCodes.pass;
    }
    const path = resolve(input.out ?? 'snapshot.fullhouse');
    if (path === file) throw new Error('The snapshot would overwrite the run itself; use another --out.');
    const written = await runs.call('writeSnapshot', { run: id, choice, path });
    if (input.json) printJson(written);
    else print(path);
    printStatus(
      `${written.replaced} values are replaced; the samples are unchanged. Check the file before you send it.`,
    );
    return exitCodes.pass;
  });
}

function listLines(values: readonly IdentifyingValue[]): string[] {
  if (values.length === 0) return ['This run contains no identifying data.'];
  const width = Math.min(60, Math.max(...values.map(({ value }) => value.length)));
  return [...values]
    .sort((a, b) => identifyingKinds.indexOf(a.kind) - identifyingKinds.indexOf(b.kind))
    .map(
      ({ kind, value, becomes, count, parts }) =>
        `${kind.padEnd(8)}${value.padEnd(width)}  -> ${becomes.padEnd(14)}  ${count} x in ${parts.join(', ')}`,
    );
}
