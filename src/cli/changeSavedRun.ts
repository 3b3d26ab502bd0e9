import { basename, dirname } from 'node:path';
import { FullhouseError } from '../contract/calls';
import type { RunSummary } from '../domain/model/run';
import type { SavedRuns } from '../engine/savedRuns/savedRuns';
import { exitCodes } from './exitCodes';
import type { Installation } from './installation';
import { print } from './print';
import { runFileExtension, savedRunFile, withSavedRuns } from './savedRun';

/** Opens the folder of a run's file, so that changes are saved in that file. */
export async function changeSavedRun(
  run: string,
  installation: Installation,
  change: (runs: SavedRuns, id: string) => Promise<RunSummary>,
): Promise<number> {
  const file = savedRunFile(run);
  if (!file.endsWith(runFileExtension))
    throw new FullhouseError('no-run', `${file} can't be changed: a saved run's file ends in ${runFileExtension}.`);
  const row = await withSavedRuns(dirname(file), installation, (runs) =>
    change(runs, basename(file, runFileExtension)),
  );
  print(described(row));
  return exitCodes.pass;
}

function described({ id, name, tags = [], note, isBaseline }: RunSummary): string {
  const pieces = [
    ...(isBaseline ? ['baseline'] : []),
    tags.length > 0 ? `tags ${tags.join(', ')}` : 'no tags',
    ...(note === undefined ? [] : [`note: ${note}`]),
  ];
  return `${id}  ${name}: ${pieces.join('; ')}`;
}
