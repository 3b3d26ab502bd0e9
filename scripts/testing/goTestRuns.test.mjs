import { expect, it } from 'vitest';
import { goTestRuns } from './goTestRuns.mjs';

const file = (text, name = 'a.go') => ({ name, text });
const test = (text) => file(text, 'a_test.go');

it('only code without goroutines is tested without the race detector', () => {
  const packages = new Map([
    ['./pure', [file('package pure'), test('func TestPure(t *testing.T) {}')]],
    ['./starts', [file('func f() {\n\tgo run()\n}'), test('')]],
    ['./serves', [file('import (\n\t"net/http"\n)'), test('')]],
    ['./locks', [file('import "sync/atomic"'), test('')]],
    ['./tested', [file('package tested'), test('t.Parallel()')]],
  ]);
  const [pure, , race] = goTestRuns(packages);
  expect(pure).toEqual(['./pure']);
  expect(race).toEqual(['-race', '-skip', 'TakeNoMoreMemory', './starts', './serves', './locks', './tested']);
});

it('tests of memory run once, and without the race detector', () => {
  const memory = test('func TestItemsTakeNoMoreMemoryThanTheirTextAllows(t *testing.T) {}');
  const runs = goTestRuns(
    new Map([
      ['./pure', [memory]],
      ['./server', [file('import "net"'), memory]],
      ['./other', [file('import "net"'), test('')]],
      ['./untested', [file('import "net"')]],
    ]),
  );
  expect(runs).toEqual([
    ['./pure'],
    ['-run', 'TakeNoMoreMemory', './server'],
    ['-race', '-skip', 'TakeNoMoreMemory', './server', './other'],
  ]);
});
