import { expect, it } from 'vitest';
import type { RunEvent, RunView } from '../../domain/model/run';
import { spotCheckEvent } from '../runs/playerEvents';
import { spotChecksSection } from './spotChecks';

const view = { startedMs: 0, nodes: [] } as unknown as RunView;

it('lists spot checks with their agreement, and is absent without any', () => {
  const check = { stream: 'a<b', rating: 'smooth', measured: 'bad', seconds: 10, freezes: 1, frozenMs: 700 } as const;
  const base = { id: 1, timeMs: 65_000, kind: 'player', who: 'player', node: 'lab' } as const;
  const event: RunEvent = { ...base, ...spotCheckEvent('lab', check) };
  const html = spotChecksSection(view, [event])?.html ?? '';
  expect(html).toContain('1 check: 0 agree with the counters (0 %), 1 rated better');
  expect(html.replaceAll(/<[^>]*>/g, '|')).toContain('00:01:05|||lab||a&lt;b||smooth||bad, 1 freeze of 0.70 s|');
  expect(spotChecksSection(view, [{ ...base, mark: 'none', sentence: '' }])).toBeUndefined();
});
