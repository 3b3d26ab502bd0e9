import { describe, expect, it } from 'vitest';
import type { NodeCapabilities } from '../../../domain/model/node';
import type { ProbeRow, ProbeView } from '../../../domain/model/probe';
import { canGroups, shownRows, durationText } from './probeText';

const row: ProbeRow = { id: 'ssh', label: 'SSH', state: 'found', found: '' };
const can: NodeCapabilities = {
  publish: ['whip'],
  pull: ['whep'],
  play: [],
  serves: ['whep', 'http-flv'],
  measure: ['CPU', 'streams'],
  terminate: false,
};

describe('findings of a probe', () => {
  it('show duration or progress', () => {
    const took = (of: Partial<ProbeRow>): string => durationText({ ...row, ...of });
    expect([took({}), took({ tookMs: 0.4 }), took({ tookMs: 3 }), took({ tookMs: 112.4 })]).toEqual([
      '',
      '0.4 ms',
      '3 ms',
      '112 ms',
    ]);
    expect(took({ tookMs: 2345 })).toBe('2.3 s');
    expect(took({ tookMs: 2345, progress: '4 / 10' })).toBe('4 / 10');
  });

  it('leave the sentence about a host key to its question', () => {
    const rows: ProbeRow[] = [row, { ...row, state: 'failed', found: 'a long sentence' }];
    const found = (hostKey: unknown): string[] =>
      shownRows({ rows, hostKey } as unknown as ProbeView).map((row) => row.found);
    expect(found(undefined)).toEqual(['', 'a long sentence']);
    expect(found({ state: 'unknown' })).toEqual(['', 'host key not confirmed']);
  });

  it('distinguish served from pullable protocols, and mark missing metrics', () => {
    const texts = (label: string, hasServer = true): string[] =>
      (canGroups(can, hasServer).find((group) => group.label === label)?.chips ?? []).map(({ text, isAbsent }) =>
        isAbsent ? `(${text})` : text,
      );
    expect(texts('Pull')).toEqual(['WHEP', '(HTTP-FLV)']);
    expect(texts('Play')).toEqual([]);
    expect(texts('Measure')).toEqual(['CPU', 'streams', '(memory)', '(network)', '(GC)']);
    expect(texts('Measure', false)).toEqual(['CPU', 'streams', '(memory)', '(network)']);
    expect(canGroups({ ...can, measure: [] }, true).at(-1)?.chips).toEqual([]);
  });
});
