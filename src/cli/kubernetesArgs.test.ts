import { expect, it } from 'vitest';
import { parseCommand } from './args';

const place = { kubeconfig: undefined, context: 'staging', namespace: 'load' };

it('reads the commands about clusters', () => {
  expect(parseCommand(['kubernetes', 'manifest', 'plan.yaml', '--set', 'a=1'])).toEqual({
    command: 'kubernetes manifest',
    plan: 'plan.yaml',
    sets: ['a=1'],
  });
  expect(parseCommand(['kubernetes', 'role', '--namespace', 'load'])).toEqual({
    command: 'kubernetes role',
    namespace: 'load',
  });
  expect(parseCommand(['kubernetes', 'check', '--context', 'staging', '--namespace', 'load'])).toEqual({
    command: 'kubernetes check',
    ...place,
    json: false,
  });
  expect(parseCommand(['cleanup', '--context', 'staging', '--namespace', 'load', '--yes'])).toEqual({
    command: 'cleanup',
    ...place,
    isConfirmed: true,
    ofAll: false,
  });
});

it.each([
  [['kubernetes'], 'Missing operand'],
  [['kubernetes', 'apply'], 'Unknown operand "apply"'],
  [['kubernetes', 'manifest'], 'Missing PLAN.yaml'],
  [['kubernetes', 'manifest', 'a', 'b'], 'Unexpected argument "b"'],
  [['kubernetes', 'manifest', 'a', '--context', 'x'], 'no option --context'],
  [['kubernetes', 'check', 'x'], 'Unexpected argument "x"'],
  [['kubernetes', 'check', '--yes'], 'no option --yes'],
  [['kubernetes', 'role', '--json'], 'no option --json'],
  [['cleanup', 'x'], 'Unexpected argument "x"'],
  [['cleanup', '--json'], 'no option --json'],
])('%j', (args, text) => expect(() => parseCommand(args)).toThrow(text));
