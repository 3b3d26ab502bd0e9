import { appendFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { FullhouseError } from '../../../contract/calls';
import type { RunSummary } from '../../../domain/model/run';
import { maskAddresses } from '../../../domain/secrets/addressSecrets';
import { visibleLine } from '../../../domain/text/visibleText';
import { privateTempFolder } from '../../../engine/base/tempFolder';
import type { SavedRuns } from '../../../engine/savedRuns/savedRuns';
import { reasonOf } from '../../../engine/store/failure';
import { command, form } from '../../command';
import { commentMarker } from '../../commentMarker';
import { exitCodes, readInconclusiveIs, runExitCodes } from '../../exitCodes';
import type { Installation } from '../../installation';
import {
  defaultOut,
  file,
  inconclusiveIs,
  junit,
  out,
  planChoices,
  type PlanChoices,
  planOptions,
  text,
  withDefault,
} from '../../options';
import { printStatus } from '../../print';
import { markdownWithoutRun } from '../../run/resultFiles';
import { runPlan } from '../../run/runPlan';
import { runFileExtension, withSavedRuns } from '../../savedRun';
import { StoppedBySignal } from '../../stopSignals';
import { UsageError } from '../../usageError';

export const ci = command({
  name: 'ci',
  operand: 'plan',
  options: {
    out: withDefault(out, defaultOut),
    ...planOptions,
    baseline: {
      ...file('run files and folders of them: the first run is the baseline, the others its repeats', 'RUN|DIR'),
      multiple: true,
    },
    summary: file('append the result as Markdown'),
    comment: file('write the text of a comment on a pull request'),
    junit,
    outputs: file('append verdict and paths as key=value'),
    link: text('URL', 'address of run file and report, for the Markdown'),
    'inconclusive-is': inconclusiveIs,
  },
  forms: [
    form(
      'PLAN.yaml [--baseline RUN|DIR ...] [--set a.b=c ...] [--summary FILE] [--comment FILE] [--junit FILE] [--outputs FILE] [--link URL] [--out DIR]',
      'run a plan in CI, compare it with a baseline, and write a summary, the text of a comment, JUnit XML, and verdict and paths as key=value',
    ),
  ],
  examples: ['ci plans/pull-1000-lab.yaml --baseline baseline/ --summary summary.md --junit junit.xml'],
  exitCodes: { ...runExitCodes, pass: 'pass, and no figure is worse than the baseline' },
  read: ({ operand, values }): CiInput => {
    const link = nonEmpty(values.link);
    const { sets, acceptHostKeys, ...allowed } = planChoices(values);
    const plan = operand('PLAN.yaml');
    if (link !== undefined && !/^https?:\/\//.test(link))
      throw new UsageError(`--link must start with https:// or http://, not "${link}".`);
    return {
      plan,
      out: nonEmpty(values.out) ?? defaultOut,
      ...allowed,
      sets: lines(sets),
      acceptHostKeys: lines(acceptHostKeys),
      baselines: lines(values.baseline),
      summary: nonEmpty(values.summary),
      comment: nonEmpty(values.comment),
      junit: nonEmpty(values.junit),
      inconclusiveIs: readInconclusiveIs(nonEmpty(values['inconclusive-is'])),
      outputs: nonEmpty(values.outputs),
      link,
    };
  },
  run: runInCi,
});

/** The input of a CI system is one text: several values are one per line, and an empty text is no value. */
const lines = (values: readonly string[]): string[] =>
  values.flatMap((value) => value.split('\n').map((line) => line.trim())).filter((line) => line !== '');

const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

interface CiInput extends PlanChoices {
  readonly plan: string;
  readonly out: string;
  /** Run files and folders of them: the first run is the baseline, the others its repeats. */
  readonly baselines: readonly string[];
  /** File to which the result is appended as Markdown. */
  readonly summary: string | undefined;
  /** File for the text of a comment on a pull request. */
  readonly comment: string | undefined;
  readonly junit: string | undefined;
  /** Exit code of an inconclusive run. */
  readonly inconclusiveIs: number;
  /** File to which verdict and paths are appended as `key=value`. */
  readonly outputs: string | undefined;
  /** Address of run file and report, for the Markdown. */
  readonly link: string | undefined;
}

/** Runs a plan in CI and writes what CI systems show of it; resolves with the exit code of `fullhouse run`. */
async function runInCi(input: CiInput, installation: Installation): Promise<number> {
  const { plan, out, sets, allowHooks, yes, acceptHostKeys, junit, inconclusiveIs } = input;
  const sentences: string[] = [];
  const say = (sentence: string): void => {
    sentences.push(sentence);
    printStatus(sentence);
  };
  let hasEnded = false;
  try {
    // In place of the text of an earlier run, should this command be killed.
    writeMarkdown({ ...input, summary: undefined }, markdownWithoutRun(plan, [], 2));
    return await withBaselines(input.baselines, installation, printStatus, (baselinesFolder) =>
      runPlan({ plan, out, sets, allowHooks, yes, acceptHostKeys, junit, inconclusiveIs, ...plain }, installation, {
        baselinesFolder,
        say,
        onEnded: async (engine, run, { verdict, runFile, report }) => {
          hasEnded = true;
          const markdown = await engine.saved.call('ciSummary', { run, baselinesFolder, link: input.link });
          writeMarkdown(input, markdown);
          writeOutputs(input, {
            verdict: verdict ?? 'none',
            run_file: runFile,
            ...(report === null ? {} : { report }),
          });
        },
      }),
    );
  } catch (error) {
    say((error as Error).message);
    return error instanceof StoppedBySignal ? exitCodes.stopped : exitCodes.notStarted;
  } finally {
    if (!hasEnded) {
      writeMarkdown(input, markdownWithoutRun(plan, sentences.map(maskAddresses), 2));
      writeOutputs(input, { verdict: 'none' });
    }
  }
}

/** What a run in CI has no use for. */
const plain = { isPreset: false, json: false, metrics: undefined, otlp: undefined, markdown: undefined } as const;

function writeMarkdown({ plan, summary, comment }: CiInput, markdown: string): void {
  if (summary !== undefined) writing(summary, (path) => appendFileSync(path, `${markdown}\n`));
  if (comment !== undefined) writing(comment, (path) => writeFileSync(path, `${commentMarker(plan)}\n${markdown}`));
}

/** As both GitHub's outputs and GitLab's dotenv reports read it: a line for each value, paths relative to here. */
function writeOutputs({ outputs }: CiInput, values: Readonly<Record<string, string>>): void {
  if (outputs === undefined) return;
  const text = Object.entries(values).map(([key, value]) => {
    const local = key === 'verdict' ? value : relative(process.cwd(), value);
    return `${key}=${visibleLine(local)}\n`;
  });
  writing(outputs, (path) => appendFileSync(path, text.join('')));
}

function writing(file: string, write: (path: string) => void): void {
  const path = resolve(file);
  try {
    write(path);
  } catch (error) {
    throw new FullhouseError('export-failed', `${path} can't be written: ${reasonOf(error)}.`, { cause: error });
  }
}

/**
 * A temporary library of the given runs for the duration of `use`; undefined without any. The first file is marked as
 * baseline, of a folder its oldest run. Copies: comparing with a run does not change its file.
 */
async function withBaselines<T>(
  paths: readonly string[],
  installation: Installation,
  say: (sentence: string) => void,
  use: (folder: string | undefined) => Promise<T>,
): Promise<T> {
  const groups = paths.map((path) => runFilesOf(path, say)).filter((files) => files.length > 0);
  const folder = privateTempFolder();
  try {
    const hasBaseline = await withSavedRuns(folder.path, installation, async (runs) => {
      const imported: RunSummary[][] = [];
      for (const files of groups) imported.push(await importAll(runs, files, say));
      const [first] = imported.flatMap((group) => [...group].sort((a, b) => a.startedMs - b.startedMs));
      if (first) await runs.call('setBaseline', { run: first.id, isBaseline: true });
      return first !== undefined;
    });
    return await use(hasBaseline ? folder.path : undefined);
  } finally {
    folder.remove();
  }
}

/** As in a library, an unreadable baseline is reported and does not affect the run. */
async function importAll(
  runs: SavedRuns,
  files: readonly string[],
  say: (sentence: string) => void,
): Promise<RunSummary[]> {
  const rows: RunSummary[] = [];
  for (const path of files)
    try {
      rows.push(await runs.call('import', { path }));
    } catch (error) {
      say(`The baseline ${path} is left out: ${(error as Error).message}`);
    }
  return rows;
}

/** A run file, or all below a folder. */
function runFilesOf(fileOrFolder: string, say: (sentence: string) => void): string[] {
  const path = resolve(fileOrFolder);
  if (!existsSync(path)) {
    if (path.endsWith(runFileExtension))
      throw new FullhouseError('no-run', `The baseline ${path} does not exist; check --baseline.`);
    say(`No baseline: the folder ${path} does not exist yet.`);
    return [];
  }
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(runFileExtension))
    .map((file) => join(path, file));
  if (files.length === 0) say(`No baseline: the folder ${path} contains no ${runFileExtension} file yet.`);
  return files;
}
