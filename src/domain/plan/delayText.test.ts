import { expect, it } from 'vitest';
import { samplePlan } from '../../../tests/support/samplePlan';
import { formatDelay, parseDelay } from './delayText';
import { parsePlan, planToYaml } from './planYaml';

it.each([
  ['p95 <= 500ms', { stat: 'p95', valueMs: 500 }],
  [' p50<=0.25 s ', { stat: 'p50', valueMs: 250 }],
  ['max <= 60s', { stat: 'max', valueMs: 60_000 }],
])('reads %s', (text, delay) => {
  expect(parseDelay(text)).toEqual(delay);
});

it.each([
  ['p95 <= 500', '500 has no unit.'],
  ['p95 >= 500ms', '"p95 >= 500ms" is not valid.'],
  ['p90 <= 500ms', '"p90 <= 500ms" is not valid.'],
  ['<= 500ms', '"<= 500ms" is not valid.'],
  ['p95 <= 2min', '"2min" is not valid.'],
  ['p95 <= 61s', '61s is more than 60s.'],
])('refuses %s with what to write', (text, fault) => {
  expect(parseDelay(text)).toBe(
    `${fault} Write it like "p95 <= 500ms", with p50, p95, p99, max; or a list of several.`,
  );
});

it.each([
  [[{ stat: 'p95', valueMs: 500 }] as const, 'delay: "p95 <= 500ms"'],
  [
    [
      { stat: 'p50', valueMs: 199.5 },
      { stat: 'p99', valueMs: 800 },
    ] as const,
    'delay: ["p50 <= 199.5ms", "p99 <= 800ms"]',
  ],
])('is written in a plan as it is read', (delay, yaml) => {
  const plan = samplePlan({}, { delay });
  const text = planToYaml(plan);
  expect(text).toContain(yaml);
  expect(parsePlan(text).plan).toEqual(plan);
  for (const each of delay) expect(parseDelay(formatDelay(each))).toEqual(each);
});

it('may be off, and a fault has its place', () => {
  const text = (delay: string) => `name: x
nodes: { origin: { server: lab }, local: { tester: local } }
pull: { stream: cam, from: origin, by: [local], viewers: 1, rate: 1/s, hold: 1s }
expect: { delay: ${delay} }
`;
  expect(parsePlan(text('off')).plan.delay).toBeUndefined();
  expect(() => parsePlan(text('"p95 < 1s"'))).toThrow(/p95 < 1s.* is not valid/);
});
