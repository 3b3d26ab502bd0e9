import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from '../setup/command.mjs';
import { cacheFolder, inRoot } from '../setup/paths.mjs';

/**
 * Runs one project of vitest.config.ts and counts tests. A skipped test counts as failed, so that none is omitted
 * silently.
 */
export async function runVitest(project, { env, workers } = {}) {
  mkdirSync(cacheFolder, { recursive: true });
  const report = join(cacheFolder, `vitest-${project}.json`);
  rmSync(report, { force: true });
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(workers ? [`--maxWorkers=${workers}`] : []),
  ];
  const { code } = await run(process.execPath, [inRoot('node_modules', 'vitest', 'vitest.mjs'), ...args], {
    env,
    show: true,
  });
  return countVitest(readReport(report), code);
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Counts from vitest's JSON report; `code` is its exit code. */
export function countVitest(report, code) {
  if (!report) return { passed: 0, failed: 1, notes: [`Vitest exited with code ${code} without a report.`] };
  const notes = [];
  const left = report.numPendingTests + report.numTodoTests;
  if (left > 0) notes.push(`${left} tests were skipped, which counts as failed.`);
  // A file that failed to load has no tests to count.
  const unloaded = report.testResults.filter(isUnloaded);
  notes.push(...report.testResults.flatMap(failuresOf), ...report.testResults.flatMap(laterTriesOf));
  let failed = report.numFailedTests + left + unloaded.length;
  if (code !== 0 && failed === 0) {
    failed = 1;
    notes.push(`Vitest exited with code ${code}: an error outside any test.`);
  }
  return { passed: report.numPassedTests, failed, notes };
}

const isUnloaded = ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0;

/** Failed tests with their reason, one line each, as a summary at the end of a long output. */
function failuresOf(result) {
  if (isUnloaded(result)) return [`${fileOf(result)} did not load: ${firstLine(result.message)}`];
  return linesOf(result, ({ status }) => status === 'failed');
}

/** Tests that failed at first: they passed, but deserve a look. */
function laterTriesOf(result) {
  return linesOf(result, ({ status, failureMessages }) => status === 'passed' && failureMessages?.length > 0).map(
    (line) => `Passed on a later try: ${line}`,
  );
}

function linesOf(result, isMeant) {
  return result.assertionResults
    .filter(isMeant)
    .map((test) => `${fileOf(result)} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
}

const fileOf = ({ name }) => relative(inRoot(), name ?? '');

const firstLine = (text) => text?.split('\n')[0] || 'no message';
