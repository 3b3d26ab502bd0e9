import { describe, expect, it } from 'vitest';
import { typedCommand } from '../../../tests/support/typedCommand';
import { UsageError } from '../args';

describe('fullhouse estimate', () => {
  it('reads a saved run, or a calibration for a plan', () => {
    expect(typedCommand(['estimate', 'r.fullhouse', '--json'])).toMatchObject({
      run: 'r.fullhouse',
      plan: undefined,
      json: true,
    });
    expect(
      typedCommand(['estimate', '--plan', 'p.yaml', '--max', '40', '--hold', '30s', '--set', 'pull.viewers=9']),
    ).toMatchObject({
      run: undefined,
      plan: 'p.yaml',
      max: 40,
      holdMs: 30_000,
      sets: ['pull.viewers=9'],
      scenario: undefined,
    });
  });

  it('reads the target audience', () => {
    const args = [
      'estimate',
      'r',
      '--for',
      '1,000',
      '--kbps',
      '2000',
      '--cores',
      '8',
      '--nic',
      '10000',
      '--memory',
      '16',
    ];
    expect(typedCommand(args)).toMatchObject({
      scenario: { viewers: 1000, bitrateKbps: 2000, cores: 8, nicMbps: 10_000, memoryBytes: 16 * 2 ** 30 },
    });
  });

  it.each([
    [['estimate'], /Specify a run or a plan/],
    [['estimate', 'r', '--plan', 'p.yaml'], /Specify a run or a plan/],
    [['estimate', 'r', '--max', '9'], /require --plan/],
    [['estimate', '--plan', 'p.yaml', '--max', 'some'], /--max "some"/],
    [['estimate', '--plan', 'p.yaml', '--hold', '5s'], /--hold "5s"/],
    [['estimate', 'r', '--cores', '8'], /number of viewers/],
    [['estimate', 'r', '--for', '-3'], /--for/],
    [['estimate', 'r', 'more'], /Unexpected argument/],
  ])('refuses %j', (args, sentence) => {
    expect(() => typedCommand(args)).toThrow(UsageError);
    expect(() => typedCommand(args)).toThrow(sentence);
  });
});
