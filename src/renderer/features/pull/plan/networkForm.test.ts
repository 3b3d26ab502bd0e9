import { describe, expect, it } from 'vitest';
import type { PlanNetwork } from '../../../../domain/model/network';
import { keptText, networkFormOf, placeholderOf, readNetwork, realNetwork, withChoice } from './networkForm';

describe('the network of the Pull dialog', () => {
  it.each<[string, PlanNetwork | undefined]>([
    ['the real one', undefined],
    ['a preset', { preset: '3g' }],
    ['a preset that viewers share', { preset: 'satellite', sharedBy: 20 }],
    ['a preset with other values', { preset: 'lte-moving', lossPercent: 2, rttMs: 120 }],
    ['own values', { downKbps: 1500, upKbps: 800, rttMs: 80, jitterMs: 10, lossPercent: 0.5, queueMs: 300 }],
    [
      'parts without a field',
      {
        rttMs: 80,
        burst: { p: 1, r: 25, h: 0, k: 100 },
        queuePackets: 40,
        steps: [{ atMs: 30_000, preset: 'none' }],
      },
    ],
  ])('shows %s of a plan, and keeps it', (_, network) => {
    expect(readNetwork(networkFormOf(network))).toEqual(network ? { network } : {});
  });

  it('a custom network starts with the values of the preset before it', () => {
    const custom = withChoice(networkFormOf({ preset: 'bad-wifi', sharedBy: 5 }), 'custom');
    expect(placeholderOf('downKbps', custom)).toBe('2 Mbit/s');
    expect(placeholderOf('rttMs', custom)).toBe('40 ms');
    expect(placeholderOf('lossPercent', custom)).toBe('none');
    expect(keptText(custom)).toBe('Empty fields have the values of Bad Wi-Fi.');
    expect(readNetwork(custom)).toEqual({ network: { preset: 'bad-wifi', sharedBy: 5 } });
    expect(readNetwork(withChoice(custom, 'none'))).toEqual({});
    expect(readNetwork(withChoice(custom, '3g'))).toEqual({ network: { preset: '3g', sharedBy: 5 } });
    expect(readNetwork(withChoice(realNetwork, 'custom'))).toEqual({});
  });

  it.each([
    ['downKbps', '5', 'Enter a rate above 0 with its unit: 800 kbit/s or 1.5 Mbit/s.'],
    ['rttMs', '80', 'Enter a duration with its unit, max 4 s, e.g. 80 ms.'],
    ['rttMs', '5 s', 'Enter a duration with its unit, max 4 s, e.g. 80 ms.'],
    ['lossPercent', '101', 'Enter a percentage from 0 on, max 100.'],
    ['sharedBy', '0', 'Enter a whole number above 0, max 10,000.'],
    ['jitterMs', '10 ms', 'A jitter of 10 ms needs a round-trip time of 20 ms or more'],
  ] as const)('refuses %s of %s', (name, text, sentence) => {
    const form = withChoice(realNetwork, 'custom');
    const { problem } = readNetwork({ ...form, texts: { ...form.texts, [name]: text } });
    expect(problem?.path).toBe(`pull.network.${name}`);
    expect(problem?.sentence).toContain(sentence);
  });
});
