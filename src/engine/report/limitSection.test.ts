import { expect, it } from 'vitest';
import type { RunView } from '../../domain/model/run';
import { limitSection } from './limitSection';

const view = { startedMs: 1_000_000, nodes: [] } as Partial<RunView> as RunView;

it('contains the limit, the bottleneck, and each size', () => {
  const html =
    limitSection({
      ...view,
      limit: {
        state: 'found',
        viewers: 262,
        plusMinus: 6,
        repeats: 3,
        trials: [
          {
            viewers: 1000,
            repeat: 1,
            fromMs: 1_061_000,
            toMs: 1_071_000,
            result: 'missed',
            sentence: '<b> was "late".',
          },
        ],
        bottleneck: { what: 'origin-cpu', sentence: 'CPU of origin was at 97 %.', timeMs: 1_061_000 },
        sentence: '262 +- 6 viewers, 3 repeats; bottleneck: CPU of the origin.',
      },
    })?.html ?? '';
  for (const part of [
    '262 +- 6 viewers, 3 repeats',
    'CPU of origin was at 97 %.',
    '00:01:01',
    '1,000',
    'failed',
    '10 s',
  ])
    expect(html).toContain(part);
  expect(html).not.toContain('<b> was');
  expect(limitSection(view)).toBeUndefined();
});
