import { appendFileSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import { maskAddresses } from '../domain/secrets/addressSecrets';
import { visibleLine } from '../domain/text/visibleText';
import { reasonOf } from '../engine/store/failure';
import { withBaselines } from './baselineFiles';
import type { CiCommand } from './ciArgs';
import { commentMarker } from './commentMarker';
import type { Installation } from './installation';
import { printStatus } from './print';
import { markdownWithoutRun } from './resultFiles';
import { exitCodes } from './exitCodes';
import { runCommand } from './runCommand';
import { StoppedBySignal } from './stopSignals';

/** Runs a plan in CI and writes what CI systems show of it; resolves with the exit code of `fullhouse run`. */
export async function ciCommand(command: CiCommand, installation: Installation): Promise<number> {
  const { plan, out, sets, allowHooks, yes, acceptHostKeys, junit, inconclusiveIs } = command;
  const sentences: string[] = [];
  const say = (sentence: string): void => {
    sentences.push(sentence);
    printStatus(sentence);
  };
  let hasEnded = false;
  try {
    // In place of the text of an earlier run, should this command be killed.
    writeMarkdown({ ...command, summary: undefined }, markdownWithoutRun(plan, [], 2));
    return await withBaselines(command.baselines, installation, printStatus, (baselinesFolder) =>
      runCommand(
        { command: 'run', plan, out, sets, allowHooks, yes, acceptHostKeys, junit, inconclusiveIs, ...plain },
        installation,
        {
          baselinesFolder,
          say,
          onEnded: async (engine, run, { verdict, runFile, report }) => {
            hasEnded = true;
            const markdown = await engine.saved.call('ciSummary', { run, baselinesFolder, link: command.link });
            writeMarkdown(command, markdown);
            writeOutputs(command, {
              verdict: verdict ?? 'none',
              run_file: runFile,
              ...(report === null ? {} : { report }),
            });
          },
        },
      ),
    );
  } catch (error) {
    say((error as Error).message);
    return error instanceof StoppedBySignal ? exitCodes.stopped : exitCodes.notStarted;
  } finally {
    if (!hasEnded) {
      writeMarkdown(command, markdownWithoutRun(plan, sentences.map(maskAddresses), 2));
      writeOutputs(command, { verdict: 'none' });
    }
  }
}

/** What a run in CI has no use for. */
const plain = { isPreset: false, json: false, metrics: undefined, otlp: undefined, markdown: undefined } as const;

function writeMarkdown({ plan, summary, comment }: CiCommand, markdown: string): void {
  if (summary !== undefined) writing(summary, (path) => appendFileSync(path, `${markdown}\n`));
  if (comment !== undefined) writing(comment, (path) => writeFileSync(path, `${commentMarker(plan)}\n${markdown}`));
}

/** As both GitHub's outputs and GitLab's dotenv reports read it: a line for each value, paths relative to here. */
function writeOutputs({ outputs }: CiCommand, values: Readonly<Record<string, string>>): void {
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
