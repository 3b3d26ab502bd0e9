import { writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import type { RunSummary } from '../domain/model/run';
import type { SavedRuns } from '../engine/savedRuns/savedRuns';
import type { Installation } from './installation';
import type { BaselineCommand, CompareCommand, TagCommand } from './libraryArgs';
import { exitCodes } from './exitCodes';
import { savedRunFile, withCopies, withSavedRuns } from './savedRun';
import { print, printDocument } from './print';
import { reasonOf } from '../engine/store/failure';

const extension = '.fullhouse';

/** Compares saved runs. Runs of one folder are compared there, so that its other runs provide the noise. */
export async function compareCommand(
  { runs: names, kind, alignment, out }: CompareCommand,
  installation: Installation,
): Promise<number> {
  const text = await withRuns(names.map(savedRunFile), installation, (runs, ids) =>
    runs.call('compareText', { runs: ids, form: { kind, alignment } }),
  );
  if (out === undefined) printDocument(text);
  else {
    const path = resolve(out);
    try {
      writeFileSync(path, text);
    } catch (error) {
      throw new FullhouseError('export-failed', `${path} can't be written: ${reasonOf(error)}.`);
    }
    print(path);
  }
  return exitCodes.pass;
}

/** Runs from several folders are read from copies: reading a run does not change it. */
function withRuns<T>(
  files: readonly string[],
  installation: Installation,
  use: (runs: SavedRuns, ids: readonly string[]) => Promise<T>,
): Promise<T> {
  const [folder, ...others] = new Set(files.map((file) => dirname(file)));
  const isLibrary = files.every((file) => file.endsWith(extension));
  if (folder !== undefined && others.length === 0 && isLibrary)
    return withSavedRuns(folder, installation, (runs) =>
      use(
        runs,
        files.map((file) => basename(file, extension)),
      ),
    );
  return withCopies(files, installation, (runs, ids) => {
    if (new Set(ids).size < ids.length)
      throw new FullhouseError('same-run', 'Two of the files are recordings of the same run.');
    return use(runs, ids);
  });
}

/** Opens the folder of a run's file, so that changes are saved in that file. */
async function inItsFolder(
  run: string,
  installation: Installation,
  change: (runs: SavedRuns, id: string) => Promise<RunSummary>,
): Promise<number> {
  const file = savedRunFile(run);
  if (!file.endsWith(extension))
    throw new FullhouseError('no-run', `${file} can't be changed: a saved run's file ends in ${extension}.`);
  const row = await withSavedRuns(dirname(file), installation, (runs) => change(runs, basename(file, extension)));
  print(described(row));
  return exitCodes.pass;
}

export function tagCommand({ run: name, add, remove, note }: TagCommand, installation: Installation): Promise<number> {
  const changes = { addTags: add, removeTags: remove, ...(note === undefined ? {} : { note }) };
  return inItsFolder(name, installation, (runs, run) => runs.call('keep', { run, changes }));
}

export function baselineCommand(
  { run: name, isBaseline }: BaselineCommand,
  installation: Installation,
): Promise<number> {
  return inItsFolder(name, installation, (runs, run) => runs.call('setBaseline', { run, isBaseline }));
}

function described({ id, name, tags = [], note, isBaseline }: RunSummary): string {
  const pieces = [
    ...(isBaseline ? ['baseline'] : []),
    tags.length > 0 ? `tags ${tags.join(', ')}` : 'no tags',
    ...(note === undefined ? [] : [`note: ${note}`]),
  ];
  return `${id}  ${name}: ${pieces.join('; ')}`;
}
