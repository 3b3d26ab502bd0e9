import { expect, it } from 'vitest';
import { streamObject } from './restSchemas';
import { StreamRates } from './streamRates';

it('has the rates of each session, and forgets one that is gone', () => {
  const rates = new StreamRates();
  const list = (nacks: number, lost: number) => [
    streamObject.parse({ mediaSessionId: 'a', metrics: { VIDEO_NACK: nacks, VIDEO_LOST: lost } }),
    streamObject.parse({ mediaSessionId: 'b' }),
  ];
  for (let second = 0; second < 6; second += 1) rates.take(list(20 * second, 2 * second), 1000 * second);
  expect(rates.take(list(120, 12), 6000).get('a')).toEqual({ nacksPerSecond: 20, lostPerSecond: 2 });
  expect(rates.take([], 7000).size).toBe(0);
  expect(rates.take(list(500, 50), 8000).get('a')).toEqual({ nacksPerSecond: undefined, lostPerSecond: undefined });
});
