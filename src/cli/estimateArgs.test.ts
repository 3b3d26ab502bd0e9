import { describe, expect, it } from 'vitest';
import { parseCommand, UsageError } from './args';

describe('fullhouse estimate', () => {
  it('reads a kept run, or makes a small load for a plan', () => {
    expect(parseCommand(['estimate', 'r.fullhouse', '--json'])).toMatchObject({
      run: 'r.fullhouse',
      plan: undefined,
      json: true,
    });
    expect(
      parseCommand([
        'estimate',
        '--plan',
        'p.yaml',
        '--most',
        '40',
        '--hold',
        '30s',
        '--set',
        'pull.viewers=9',
      ]),
    ).toMatchObject({
      run: undefined,
      plan: 'p.yaml',
      most: 40,
      holdMs: 30_000,
      sets: ['pull.viewers=9'],
      wish: undefined,
    });
  });

  it('says what an audience would need', () => {
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
    expect(parseCommand(args)).toMatchObject({
      wish: { viewers: 1000, bitrateKbps: 2000, cores: 8, nicMbps: 10_000, memoryBytes: 16 * 2 ** 30 },
    });
  });

  it.each([
    [['estimate'], /what to estimate from/],
    [['estimate', 'r', '--plan', 'p.yaml'], /what to estimate from/],
    [['estimate', 'r', '--most', '9'], /still to be made/],
    [['estimate', '--plan', 'p.yaml', '--most', 'some'], /--most "some"/],
    [['estimate', '--plan', 'p.yaml', '--hold', '5s'], /--hold "5s"/],
    [['estimate', 'r', '--cores', '8'], /for how many viewers/],
    [['estimate', 'r', '--for', '-3'], /--for/],
    [['estimate', 'r', 'more'], /one word too many/],
  ])('refuses %j', (args, sentence) => {
    expect(() => parseCommand(args)).toThrow(UsageError);
    expect(() => parseCommand(args)).toThrow(sentence);
  });
});
