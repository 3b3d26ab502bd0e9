import { describe, expect, it } from 'vitest';
import { newTally } from './goTest.mjs';
import { inRoot } from '../setup/paths.mjs';
import { countVitest, secondTries, withSecondTry } from './vitest.mjs';

describe('counting go test', () => {
  const line = (event) => JSON.stringify(event);

  it('counts tests and subtests, not packages', () => {
    const tally = newTally();
    tally.add(line({ Action: 'pass', Package: 'a', Test: 'TestOne' }));
    tally.add(line({ Action: 'pass', Package: 'a', Test: 'TestOne/sub' }));
    tally.add(line({ Action: 'pass', Package: 'a' }));
    expect(tally.count(0)).toEqual({ passed: 2, failed: 0, notes: [], durations: [] });
  });

  it('shows the output of a failed test', () => {
    const tally = newTally();
    tally.add(line({ Action: 'output', Package: 'a', Test: 'TestOne', Output: 'got 3, want 4\n' }));
    tally.add(line({ Action: 'fail', Package: 'a', Test: 'TestOne' }));
    expect(tally.count(1)).toMatchObject({ passed: 0, failed: 1, notes: ['a TestOne failed.'] });
    expect(tally.failures()).toContain('got 3, want 4\n');
  });

  it('counts a skipped test as failed', () => {
    const tally = newTally();
    tally.add(line({ Action: 'skip', Package: 'a', Test: 'TestOne' }));
    expect(tally.count(0)).toMatchObject({ failed: 1, notes: ['a TestOne was skipped, which counts as failed.'] });
  });

  it('has the duration of each test, which includes its subtests', () => {
    const tally = newTally();
    tally.add(line({ Action: 'pass', Package: 'a', Test: 'TestOne/sub', Elapsed: 1.5 }));
    tally.add(line({ Action: 'pass', Package: 'a', Test: 'TestOne', Elapsed: 2 }));
    expect(tally.count(0).durations).toEqual([{ name: 'a TestOne', ms: 2000 }]);
  });

  it('fails when nothing compiled', () => {
    const tally = newTally();
    tally.add(line({ Action: 'build-fail', ImportPath: 'a' }));
    expect(tally.count(1)).toMatchObject({ passed: 0, failed: 1 });
    expect(newTally().count(2)).toMatchObject({ failed: 1 });
  });
});

describe('counting vitest', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [],
  };

  it('returns the counts of a successful run', () => {
    const assertionResults = [{ status: 'passed', fullName: 'the lab plays', duration: 12, failureMessages: [] }];
    const testResults = [{ name: inRoot('tests/lab.test.ts'), status: 'passed', assertionResults }];
    expect(countVitest({ ...report, testResults }, 0)).toEqual({
      passed: 3,
      failed: 0,
      notes: [],
      secondTries: [],
      durations: [{ name: 'tests/lab.test.ts > the lab plays', ms: 12 }],
    });
  });

  it('counts skipped and todo tests as failed', () => {
    expect(countVitest({ ...report, numPendingTests: 2, numTodoTests: 1 }, 0)).toMatchObject({ failed: 3 });
  });

  it('counts a file that did not load', () => {
    const testResults = [{ status: 'failed', message: 'no such module\nat a', assertionResults: [] }];
    expect(countVitest({ ...report, testResults }, 1)).toMatchObject({
      failed: 1,
      notes: [expect.stringMatching(/did not load: no such module$/)],
    });
  });

  it('lists failed tests with their reasons at the end', () => {
    const assertionResults = [
      { status: 'passed', fullName: 'the lab plays', failureMessages: [] },
      { status: 'failed', fullName: 'the lab stops', failureMessages: ['Error: still running\n    at stop'] },
    ];
    const testResults = [{ name: '/tests/lab.test.ts', status: 'failed', assertionResults }];
    expect(countVitest({ ...report, numFailedTests: 1, testResults }, 1)).toMatchObject({
      failed: 1,
      notes: [expect.stringMatching(/tests\/lab\.test\.ts > the lab stops: Error: still running$/)],
    });
  });

  it('replaces the results of files that ran a second time, and names what passed then', () => {
    const result = (file, ...tests) => ({
      name: inRoot(file),
      status: tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
      assertionResults: tests.map(([fullName, status]) => ({
        ...{ fullName, status },
        failureMessages: status === 'failed' ? ['Error: too slow\n'] : [],
      })),
    });
    const first = {
      ...report,
      testResults: [
        result('tests/lab.test.ts', ['plays', 'passed'], ['stops', 'failed'], ['ends', 'failed']),
        result('tests/other.test.ts', ['works', 'passed']),
      ],
    };
    const second = {
      testResults: [result('tests/lab.test.ts', ['plays', 'passed'], ['stops', 'passed'], ['ends', 'failed'])],
    };
    const merged = withSecondTry(first, second);
    expect(merged).toMatchObject({ numPassedTests: 3, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 });
    const tries = secondTries(first, second);
    expect(tries).toEqual(['tests/lab.test.ts > stops: Error: too slow']);
    expect(countVitest(merged, 1, tries)).toMatchObject({
      passed: 3,
      failed: 1,
      secondTries: tries,
      notes: ['tests/lab.test.ts > ends: Error: too slow'],
    });
  });

  it('fails on an error outside any test, and without a report', () => {
    expect(countVitest(report, 1)).toMatchObject({ passed: 3, failed: 1 });
    expect(countVitest(undefined, 1)).toMatchObject({ passed: 0, failed: 1 });
  });
});
