import { expect, it } from 'vitest';
import { parseCommand, UsageError } from './args';

it('reads a run with everything', () => {
  expect(
    parseCommand(['run', 'p.yaml', '--json', '--out', 'x', '--set', 'pull.viewers=2', '--set', 'name=a']),
  ).toEqual({
    command: 'run',
    plan: 'p.yaml',
    out: 'x',
    json: true,
    sets: ['pull.viewers=2', 'name=a'],
  });
});

it('knows its defaults', () => {
  expect(parseCommand(['run', 'p.yaml'])).toMatchObject({ out: 'runs', json: false, sets: [] });
  expect(parseCommand([])).toEqual({ command: 'help' });
  expect(parseCommand(['--version'])).toEqual({ command: 'version' });
});

it.each([
  [['run']],
  [['run', 'a', 'b']],
  [['play', 'a']],
  [['run', 'a', '--viewers', '3']],
  [['show', 'a', '--set', 'x=1']],
])('refuses %j', (args) => {
  expect(() => parseCommand(args)).toThrow(UsageError);
});
