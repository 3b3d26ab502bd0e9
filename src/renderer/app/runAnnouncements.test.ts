import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../domain/model/run';
import { announcementOf, verdictAnnouncement } from './runAnnouncements';

const event = (of: Partial<RunEvent>): RunEvent => ({
  ...{ id: 1, timeMs: 0, kind: 'run', mark: 'none', who: 'run', sentence: 'A sentence.' },
  ...of,
});

describe('announcements of a run', () => {
  it('are phases, thresholds, and nodes that stop or resume responding', () => {
    for (const of of [{ kind: 'phase' }, { kind: 'threshold' }, { kind: 'node', mark: 'lost' }] as const)
      expect(announcementOf(event(of))).toBe('A sentence.');
    for (const kind of ['note', 'player', 'failure', 'stream', 'node', 'run'] as const)
      expect(announcementOf(event({ kind }))).toBeUndefined();
  });

  it('have the verdict with its sentence', () => {
    const verdict = { verdict: 'fail', sentence: '12 of 100 connected.', reasons: [], headroom: [] } as const;
    expect(verdictAnnouncement({ verdict })).toBe('Verdict: fail. 12 of 100 connected.');
    expect(verdictAnnouncement({})).toBeUndefined();
  });
});
