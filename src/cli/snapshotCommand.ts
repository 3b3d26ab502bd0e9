import { resolve } from 'node:path';
import { identifyingKinds, type IdentifyingValue } from '../domain/redaction/identifyingValues';
import type { Installation } from './installation';
import { withSavedRun } from './savedRun';
import type { SnapshotCommand } from './shareArgs';
import { print, printJson, printStatus } from './print';

/** Writes a redacted copy of a saved run, or only lists what would be redacted. */
export function snapshotCommand(
  { run, out, choice, list, json }: SnapshotCommand,
  installation: Installation,
): Promise<number> {
  return withSavedRun(run, installation, async (runs, id, file) => {
    if (list) {
      const kept = new Set<string>(choice.keepKinds);
      const all = await runs.call('previewSnapshot', { run: id });
      const found = all.filter(({ kind }) => !kept.has(kind));
      if (json) printJson(found);
      else print(...listLines(found));
      return 0;
    }
    const path = resolve(out ?? 'snapshot.fullhouse');
    if (path === file) throw new Error('The snapshot would overwrite the run itself; use another --out.');
    const written = await runs.call('writeSnapshot', { run: id, choice, path });
    if (json) printJson(written);
    else print(path);
    printStatus(
      `${written.replaced} values are replaced; the samples are unchanged. Check the file before you send it.`,
    );
    return 0;
  });
}

function listLines(found: readonly IdentifyingValue[]): string[] {
  if (found.length === 0) return ['This run contains no identifying data.'];
  const width = Math.min(60, Math.max(...found.map(({ value }) => value.length)));
  return [...found]
    .sort((a, b) => identifyingKinds.indexOf(a.kind) - identifyingKinds.indexOf(b.kind))
    .map(
      ({ kind, value, becomes, count, parts }) =>
        `${kind.padEnd(8)}${value.padEnd(width)}  -> ${becomes.padEnd(14)}  ${count} x in ${parts.join(', ')}`,
    );
}
