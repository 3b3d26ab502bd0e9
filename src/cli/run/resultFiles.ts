import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { maskAddresses } from '../../domain/secrets/addressSecrets';
import { md } from '../../domain/text/escape/markdown';
import { visible } from '../../domain/text/visibleText';
import type { Engine } from '../../engine';
import { junitWithoutRun } from '../../engine/report/junit';
import { reasonOf } from '../../engine/store/failure';

const kinds = ['junit', 'markdown'] as const;

/** Where a run writes its result for CI systems; undefined: nowhere. */
type ResultPaths = Readonly<Record<(typeof kinds)[number], string | undefined>> & { readonly plan: string };

const notEnded = 'The command was ended before the run had a result.';

/**
 * The files with the result of a run for CI systems. They never have that of an earlier run: from the start they say
 * that there is no result yet, which also shows that they can be written.
 */
export class ResultFiles {
  constructor(private readonly paths: ResultPaths) {
    this.withoutRun([notEnded]);
  }

  /** Why no run was started, in place of its result. Throws `export-failed`. */
  withoutRun(sentences: readonly string[]): void {
    const { plan } = this.paths;
    for (const kind of kinds) {
      const file = this.paths[kind];
      if (file === undefined) continue;
      const masked = sentences.map(maskAddresses);
      const text = kind === 'junit' ? junitWithoutRun(plan, masked) : `${markdownWithoutRun(plan, masked, 1)}\n`;
      writeResult(file, text);
    }
  }

  /** Removes the files of further runs of a schedule that an earlier one has left. */
  expect(runs: number): void {
    for (const kind of kinds)
      for (let place = 2; place <= runs; place += 1) {
        const path = this.path(kind, place);
        if (path !== undefined && isPlainFile(path)) rmSync(path, { force: true });
      }
  }

  /** Writes the result of a run; the files of further runs of a schedule have a number. Returns whether all are written. */
  async write(engine: Engine, run: string, place: number, say: (sentence: string) => void): Promise<boolean> {
    let isWritten = true;
    for (const kind of kinds) {
      const path = this.path(kind, place);
      if (path === undefined) continue;
      try {
        await engine.client.call('runs.export', { run, kind, path });
      } catch (error) {
        isWritten = false;
        say((error as Error).message);
      }
    }
    return isWritten;
  }

  private path(kind: (typeof kinds)[number], place: number): string | undefined {
    const file = this.paths[kind];
    if (file === undefined) return undefined;
    const { dir, name, ext } = parse(resolve(file));
    return place === 1 ? resolve(file) : join(dir, `${name}-${place}${ext}`);
  }
}

/** Markdown in place of the result of a run that has none. */
export function markdownWithoutRun(plan: string, sentences: readonly string[], level: 1 | 2): string {
  const reasons = sentences.map((sentence) => `- ${md(sentence)}`).join('\n');
  return visible(
    `${'#'.repeat(level)} ${md(plan)}: NOT STARTED\n\n${reasons || 'The log of the job has the reason.'}\n`,
  );
}

/** A pipe or a device gets the result only. */
function writeResult(file: string, text: string): void {
  const path = resolve(file);
  try {
    if (!isPlainFile(path)) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new FullhouseError('export-failed', `${path} can't be written: ${reasonOf(error)}. Nothing was started.`, {
      cause: error,
    });
  }
}

/** Or none yet. */
const isPlainFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
