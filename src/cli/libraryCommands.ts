import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import { setBaseline } from '../engine/library/baseline';
import { comparisonText } from '../engine/library/exportComparison';
import { openRunLibrary, type RunLibrary } from '../engine/store';
import type { RunSummary } from '../domain/run';
import { keptRunFile } from './keptRun';
import type { BaselineCommand, CompareCommand, TagCommand } from './libraryArgs';
import { exitCodes } from './runCommand';

const extension = '.fullhouse';

/** Holds kept runs against each other. Runs of one folder are compared there, so that its other runs tell the noise. */
export function compareCommand({ runs, kind, alignment, out }: CompareCommand): number {
  const files = runs.map(keptRunFile);
  const text = withRuns(files, (library, ids) => comparisonText(library, ids, { kind, alignment }));
  if (out === undefined) process.stdout.write(text);
  else {
    const path = resolve(out);
    try {
      writeFileSync(path, text);
    } catch (error) {
      throw new FullhouseError('export-failed', `${path} can't be written: ${(error as Error).message}.`);
    }
    process.stdout.write(`${path}\n`);
  }
  return exitCodes.pass;
}

/** Runs from several folders are read from copies: looking at a run changes nothing about it. */
function withRuns<T>(files: readonly string[], use: (library: RunLibrary, ids: readonly string[]) => T): T {
  const [folder, ...others] = new Set(files.map(dirname));
  const isLibrary = files.every((file) => file.endsWith(extension));
  if (folder !== undefined && others.length === 0 && isLibrary)
    return use(
      openRunLibrary(folder),
      files.map((file) => basename(file, extension)),
    );
  const copies = mkdtempSync(join(tmpdir(), 'fullhouse-'));
  try {
    const library = openRunLibrary(copies);
    const ids = files.map((file) => library.importFile(file).id);
    if (new Set(ids).size < ids.length)
      throw new FullhouseError('same-run', 'Two of the files are recordings of the same run.');
    return use(library, ids);
  } finally {
    rmSync(copies, { recursive: true, force: true });
  }
}

/** Opens the folder that a run's file lies in, so that what is changed is kept in that file. */
function inItsFolder<T>(run: string, use: (library: RunLibrary, id: string) => T): T {
  const file = keptRunFile(run);
  if (!existsSync(file) || !file.endsWith(extension))
    throw new FullhouseError('no-run', `${file} can't be changed: a kept run's file ends in ${extension}.`);
  return use(openRunLibrary(dirname(file)), basename(file, extension));
}

export function tagCommand({ run, add, remove, note }: TagCommand): number {
  const row = inItsFolder(run, (library, id) =>
    library.keep(id, { addTags: add, removeTags: remove, ...(note === undefined ? {} : { note }) }),
  );
  process.stdout.write(`${described(row)}\n`);
  return exitCodes.pass;
}

export function baselineCommand({ run, isBaseline }: BaselineCommand): number {
  const row = inItsFolder(run, (library, id) => setBaseline(library, id, isBaseline));
  process.stdout.write(`${described(row)}\n`);
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
