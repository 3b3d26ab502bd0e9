import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { inRoot } from '../setup/paths.mjs';
import { projectOfTest } from './testPlaces.mjs';

/** The list of tests that may have a second try: `tests/flaky.json`. */
const listFile = 'tests/flaky.json';

/** Projects without a second try: nothing in them depends on what else the machine does. */
const neverAgain = ['unit'];

/** Reads the list of flaky tests; with a list that can't be read no test has a second try. */
export async function readFlaky() {
  // Loaded when needed: its package is installed by setup.
  const { z } = await import('zod');
  const date = z.iso.date();
  const schema = z.array(
    z.strictObject({
      file: z.string().min(1),
      name: z.string().min(1),
      reason: z.string().min(20),
      since: date,
      until: date,
    }),
  );
  const result = schema.safeParse(parse(readFileSync(inRoot(listFile), 'utf8')));
  if (result.success) return { entries: result.data, problems: problemsOf(result.data, new Date()) };
  return {
    entries: [],
    problems: result.error.issues.map(({ path, message }) => `${listFile}: ${path.join('.')}: ${message}`),
  };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * What is wrong with the entries, a sentence each: an entry ends at its date, since nobody looks at it otherwise.
 * @param {{ file: string, name: string, reason: string, since: string, until: string }[]} entries
 * @param {Date} now
 */
export function problemsOf(entries, now) {
  const today = now.toISOString().slice(0, 10);
  return entries.flatMap(({ file, name, since, until }) => {
    const entry = `${listFile}: "${name}" of ${file}`;
    const project = projectOfTest(file);
    if (project === undefined || !existsSync(inRoot(file))) return [`${entry}: there is no such test file.`];
    if (neverAgain.includes(project))
      return [`${entry}: tests of the part ${project} have no second try. Fix the test.`];
    if (until < since) return [`${entry} ends on ${until}, before it starts on ${since}.`];
    if (until < today)
      return [`${entry} was listed until ${until}. Fix the test, or find out why it still fails at times.`];
    return [];
  });
}

/**
 * The files that are run a second time as a whole: all tests that failed in them are listed. So a test that continues
 * what the one before it did is never repeated in the middle.
 */
export function filesForSecondTry(report, entries) {
  return report.testResults
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length > 0)
    .filter((result) =>
      result.assertionResults
        .filter(({ status }) => status === 'failed')
        .every(({ fullName }) => entries.some((entry) => entry.file === fileOf(result) && entry.name === fullName)),
    )
    .map(fileOf);
}

/** Entries of a project that match no test of its complete run. */
export function unmatched(report, entries, project) {
  const names = new Set(
    report.testResults.flatMap((result) =>
      result.assertionResults.map(({ fullName }) => `${fileOf(result)} ${fullName}`),
    ),
  );
  return entries
    .filter(({ file, name }) => projectOfTest(file) === project && !names.has(`${file} ${name}`))
    .map(
      ({ file, name }) => `${listFile}: no test of ${file} is called "${name}". Remove the entry, or correct its name.`,
    );
}

/** The path of a result's file in the repository. */
export const fileOf = ({ name }) => relative(inRoot(), name ?? '').replaceAll('\\', '/');
