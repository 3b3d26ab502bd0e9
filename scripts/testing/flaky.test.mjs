import { describe, expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';
import { filesForSecondTry, problemsOf, readFlaky, unmatched } from './flaky.mjs';

const entry = {
  file: 'tests/integration/run.test.ts',
  name: 'a run ends',
  reason: 'The machine was busy.',
  since: '2026-11-01',
  until: '2026-12-01',
};
const now = new Date('2026-11-27T12:00:00Z');

describe('tests/flaky.json', () => {
  it('can be read', async () => {
    const { entries, problems } = await readFlaky();
    // What has expired is reported by `npm test`, not by this test: its date alone would make it red.
    expect(problems.filter((each) => !each.includes('was listed until'))).toEqual([]);
    expect(entries).toBeInstanceOf(Array);
  });

  it('has an entry until the end of its last day', () => {
    expect(problemsOf([entry], now)).toEqual([]);
    expect(problemsOf([{ ...entry, until: '2026-11-27' }], now)).toEqual([]);
    expect(problemsOf([{ ...entry, until: '2026-11-26' }], now)).toEqual([
      expect.stringContaining('"a run ends" of tests/integration/run.test.ts was listed until 2026-11-26'),
    ]);
  });

  it('has no entry without a file, with dates in the wrong order, or for a unit test', () => {
    expect(problemsOf([{ ...entry, file: 'tests/integration/gone.test.ts' }], now)).toEqual([
      expect.stringContaining('no such test file'),
    ]);
    expect(problemsOf([{ ...entry, since: '2026-12-02' }], now)).toEqual([expect.stringContaining('before it starts')]);
    expect(problemsOf([{ ...entry, file: 'scripts/testing/flaky.test.mjs' }], now)).toEqual([
      expect.stringContaining('no second try'),
    ]);
  });
});

describe('a second try', () => {
  const result = (file, tests) => ({
    name: inRoot(file),
    status: Object.values(tests).includes('failed') || Object.keys(tests).length === 0 ? 'failed' : 'passed',
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })),
  });
  const again = (tests) => filesForSecondTry({ testResults: [result(entry.file, tests)] }, [entry]);

  it('is for files in which only listed tests failed', () => {
    expect(again({ 'a run ends': 'failed', 'a run starts': 'passed' })).toEqual([entry.file]);
    expect(again({ 'a run ends': 'failed', 'a run starts': 'failed' })).toEqual([]);
    expect(again({ 'a run ends': 'passed', 'a run starts': 'failed' })).toEqual([]);
    expect(again({ 'a run ends': 'passed' })).toEqual([]);
  });

  it('is not for a file that did not load, nor for a test of that name in another file', () => {
    expect(again({})).toEqual([]);
    const other = result('tests/integration/stop.test.ts', { 'a run ends': 'failed' });
    expect(filesForSecondTry({ testResults: [other] }, [entry])).toEqual([]);
  });

  it('is refused to an entry that matches no test of its part', () => {
    const report = (name) => ({ testResults: [result(entry.file, { [name]: 'passed' })] });
    expect(unmatched(report('a run ends'), [entry], 'integration')).toEqual([]);
    expect(unmatched(report('a run stops'), [entry], 'integration')).toEqual([
      expect.stringContaining('no test of tests/integration/run.test.ts is called "a run ends"'),
    ]);
    expect(unmatched(report('a run stops'), [entry], 'servers')).toEqual([]);
  });
});
