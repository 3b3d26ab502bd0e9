import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../setup/command.mjs';
import { cacheFolder, inRoot } from '../setup/paths.mjs';
import { fileOf, filesForSecondTry, readFlaky, unmatched } from './flaky.mjs';

/**
 * Runs one project of vitest.config.mts and counts tests. A skipped test counts as failed, so that none is omitted
 * silently. A file in which only tests of tests/flaky.json failed is run once more.
 */
export async function runVitest(project, { env, workers } = {}) {
  const { entries } = await readFlaky();
  const first = await runOnce(project, { env, workers });
  if (!first.report) return countVitest(undefined, first.code);
  const again = filesForSecondTry(first.report, entries);
  const second = again.length > 0 ? await runOnce(project, { env, workers, files: again }) : undefined;
  const counted = second?.report
    ? countVitest(withSecondTry(first.report, second.report), second.code, secondTries(first.report, second.report))
    : countVitest(first.report, first.code);
  const notes = unmatched(first.report, entries, project);
  return { ...counted, failed: counted.failed + notes.length, notes: [...counted.notes, ...notes] };
}

async function runOnce(project, { env, workers, files = [] }) {
  mkdirSync(cacheFolder, { recursive: true });
  const path = join(cacheFolder, `vitest-${project}.json`);
  rmSync(path, { force: true });
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path}`,
    ...(workers ? [`--maxWorkers=${workers}`] : []),
    ...files,
  ];
  const { code } = await run(process.execPath, [inRoot('node_modules', 'vitest', 'vitest.mjs'), ...args], {
    env,
    show: true,
  });
  return { code, report: readReport(path) };
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A report in which the files that ran again have their second result. */
export function withSecondTry(first, second) {
  const ranAgain = new Set(second.testResults.map(fileOf));
  const testResults = [...first.testResults.filter((result) => !ranAgain.has(fileOf(result))), ...second.testResults];
  const count = (...kinds) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => kinds.includes(status))
      .length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped'),
    numTodoTests: count('todo'),
    testResults,
  };
}

/** Tests that failed, and passed when their file ran again: a line each, with the reason of the failure. */
export function secondTries(first, second) {
  const passed = new Set(
    second.testResults.flatMap((result) => linesOf(result, ({ status }) => status === 'passed', nameOf)),
  );
  return first.testResults.flatMap((result) =>
    linesOf(result, (test) => test.status === 'failed' && passed.has(nameOf(result, test)), failureOf),
  );
}

/**
 * Counts from vitest's JSON report.
 * @param {object | undefined} report
 * @param {number} code vitest's exit code
 * @param {string[]} [secondTries] tests that passed on their second try
 */
export function countVitest(report, code, secondTries = []) {
  if (!report) return { passed: 0, failed: 1, notes: [`Vitest exited with code ${code} without a report.`] };
  const notes = [];
  const left = report.numPendingTests + report.numTodoTests;
  if (left > 0) notes.push(`${left} tests were skipped, which counts as failed.`);
  // A file that failed to load has no tests to count.
  const unloaded = report.testResults.filter(isUnloaded);
  notes.push(...report.testResults.flatMap(failuresOf));
  let failed = report.numFailedTests + left + unloaded.length;
  if (code !== 0 && failed === 0) {
    failed = 1;
    notes.push(`Vitest exited with code ${code}: an error outside any test.`);
  }
  return {
    passed: report.numPassedTests,
    failed,
    notes,
    secondTries,
    durations: report.testResults.flatMap(durationsOf),
  };
}

const isUnloaded = ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0;

/** Failed tests with their reason, one line each, as a summary at the end of a long output. */
function failuresOf(result) {
  if (isUnloaded(result)) return [`${fileOf(result)} did not load: ${firstLine(result.message)}`];
  return linesOf(result, ({ status }) => status === 'failed', failureOf);
}

function durationsOf(result) {
  return result.assertionResults.map((test) => ({ name: nameOf(result, test), ms: test.duration ?? 0 }));
}

const linesOf = (result, isMeant, lineOf) =>
  result.assertionResults.filter(isMeant).map((test) => lineOf(result, test));

const nameOf = (result, { fullName }) => `${fileOf(result)} > ${fullName}`;

const failureOf = (result, test) => `${nameOf(result, test)}: ${firstLine(test.failureMessages?.[0])}`;

const firstLine = (text) => text?.split('\n')[0] || 'no message';
