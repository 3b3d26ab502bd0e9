import { expect, it } from 'vitest';
import { typedCommand } from '../../../tests/support/typedCommand';

const place = { kubeconfig: undefined, context: 'staging', namespace: 'load' };

it('reads the commands about clusters', () => {
  expect(typedCommand(['kubernetes', 'manifest', 'plan.yaml', '--set', 'a=1'])).toEqual({
    command: 'kubernetes',
    what: 'manifest',
    plan: 'plan.yaml',
    sets: ['a=1'],
  });
  expect(typedCommand(['kubernetes', 'role', '--namespace', 'load'])).toEqual({
    command: 'kubernetes',
    what: 'role',
    namespace: 'load',
  });
  expect(typedCommand(['kubernetes', 'check', '--context', 'staging', '--namespace', 'load'])).toEqual({
    command: 'kubernetes',
    what: 'check',
    ...place,
    json: false,
  });
  expect(typedCommand(['cleanup', '--context', 'staging', '--namespace', 'load', '--yes'])).toEqual({
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
])('%j', (args, text) => expect(() => typedCommand(args)).toThrow(text));
