import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';
import { endedWell, fuzzedIn, minimizing, mostExpensive, targetsIn } from './fuzzTargets.mjs';

describe('fuzz targets', () => {
  it('are parsed with their packages', () => {
    const listed = [
      'FuzzReader',
      'FuzzAMF',
      'ok  \tfullhouse/agent/internal/rtmp\t0.004s',
      '?   \tfullhouse/agent/internal/media\t[no test files]',
      'ok  \tfullhouse/agent/internal/stats\t0.003s',
      'FuzzLinks',
      'ok  \tfullhouse/agent/internal/signalling\t(cached)',
    ].join('\n');
    expect(targetsIn(listed)).toEqual([
      { name: 'FuzzReader', package: 'fullhouse/agent/internal/rtmp' },
      { name: 'FuzzAMF', package: 'fullhouse/agent/internal/rtmp' },
      { name: 'FuzzLinks', package: 'fullhouse/agent/internal/signalling' },
    ]);
  });

  it('are counted by their last line', () => {
    const output = [
      'fuzz: elapsed: 0s, gathering baseline coverage: 3/3 completed, now fuzzing with 2 workers',
      'fuzz: elapsed: 3s, execs: 8 (3/sec), new interesting: 0 (total: 3)',
      'fuzz: elapsed: 20s, execs: 768906 (52721/sec), new interesting: 189 (total: 249)',
      'PASS',
    ].join('\n');
    expect(fuzzedIn(output)).toEqual({ executions: 768906, newInputs: 189 });
    expect(fuzzedIn('no fuzzing here')).toBeUndefined();
  });

  it.each([
    [0, 'PASS', true],
    [1, '--- FAIL: FuzzExtension (20.10s)\n    context deadline exceeded\nFAIL', true],
    [1, '    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzAMF/1', false],
    [1, '--- FAIL: FuzzAMF (0.10s)\n    panic: index out of range', false],
    [2, 'FAIL fullhouse/agent [build failed]', false],
  ])('end with code %i and %j: passed %s', (code, output, passed) => {
    expect(endedWell(code, output)).toBe(passed);
  });

  it('are minimised with a limited number of tries, also in the documented command', () => {
    expect(minimizing).toEqual(['-fuzzminimizetime', '200x']);
    const lines = readFileSync(inRoot('agent', 'README.md'), 'utf8').split('\n');
    const documented = lines.filter((line) => line.includes(' -fuzz '));
    expect(documented.length).toBeGreaterThan(0);
    for (const line of documented) expect(line).toContain(minimizing.join(' '));
  });

  it('name the most expensive input of all processes', () => {
    expect(mostExpensive(['1048576 20\n', '5242880 31\n', ''])).toBe('5.0 MB for 31 bytes');
    expect(mostExpensive([])).toBeUndefined();
  });
});
