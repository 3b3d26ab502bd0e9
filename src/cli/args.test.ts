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
    acceptHostKeys: [],
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
  [['probe']],
  [['remove-agent', 'a@b', '--json']],
])('refuses %j', (args) => {
  expect(() => parseCommand(args)).toThrow(UsageError);
});

it('reads an address with the way to it', () => {
  expect(
    parseCommand(['probe', 'qa@box', '--key', 'k', '--jump', 'j', '--accept-host-key', 'SHA256:x']),
  ).toEqual({ command: 'probe', address: 'qa@box', keyFile: 'k', jump: 'j', acceptHostKeys: ['SHA256:x'] });
});
