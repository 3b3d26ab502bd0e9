import type { RunView } from '../domain/model/run';
import { UsageError } from './usageError';

export const exitCodes = { pass: 0, fail: 1, notStarted: 2, inconclusive: 3, stopped: 130 } as const;

/** What each means for a command that runs a plan. */
export const runExitCodes = {
  pass: 'pass',
  fail: 'fail',
  notStarted: 'invalid arguments or plan, the run could not be started, or a result could not be written',
  inconclusive: 'inconclusive; another code by --inconclusive-is',
  stopped: 'stopped by Ctrl-C or another signal before its planned end',
} as const;

/** The meaning of each exit code, equal for all commands, for `--help`, the man page and docs/ci.md. */
export const exitCodeMeanings: ReadonlyArray<readonly [code: number, meaning: string]> = [
  [exitCodes.pass, `${runExitCodes.pass}; in ci, no figure is worse than the baseline either`],
  [exitCodes.fail, `${runExitCodes.fail}; of preflight: a rule fails; of estimate: no result`],
  [exitCodes.notStarted, runExitCodes.notStarted],
  [exitCodes.inconclusive, runExitCodes.inconclusive],
  [exitCodes.stopped, runExitCodes.stopped],
];

/** The value of `--inconclusive-is`: pass, fail or a code. Throws a `UsageError`. */
export function readInconclusiveIs(text: string | undefined): number {
  if (text === undefined) return exitCodes.inconclusive;
  if (text === 'pass' || text === 'fail') return exitCodes[text];
  const isCode = /^\d{1,3}$/.test(text) && Number(text) <= maxCode;
  if (!isCode) throw new UsageError(`--inconclusive-is is "${text}"; write pass, fail or a code from 0 to ${maxCode}.`);
  return Number(text);
}

/** Highest exit code of a process. */
const maxCode = 255;

/** The exit code of an ended run; `inconclusive` is that of a run without a pass or fail. */
export function exitCodeOf(run: Pick<RunView, 'verdict' | 'figures'>, inconclusive: number): number {
  const verdict = run.verdict?.verdict;
  if (verdict === 'pass' || verdict === 'fail' || verdict === 'stopped') return exitCodes[verdict];
  if (verdict === 'not-started') return exitCodes.notStarted;
  // Without a single viewer nothing was tested.
  const hasNoViewers = run.figures.connectedPeak === 0 && run.figures.failed === 0;
  return hasNoViewers ? exitCodes.notStarted : inconclusive;
}

const severity: readonly number[] = [exitCodes.stopped, exitCodes.fail, exitCodes.notStarted];

/** The most severe exit code of several runs, or of a run and its files. Without any, nothing was started. */
export function worstCode(codes: readonly number[]): number {
  const rank = (code: number): number => (code === exitCodes.pass ? -2 : severity.indexOf(code));
  return codes.reduce((worst, code) => (rank(code) > rank(worst) ? code : worst), codes[0] ?? exitCodes.notStarted);
}
