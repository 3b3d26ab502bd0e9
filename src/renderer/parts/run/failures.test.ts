import { describe, expect, it } from 'vitest';
import type { FailureGroup } from '../../../domain/model/run';
import { byCount, countsByStage, failuresAsText, failureSummary } from './failures';

const ice: FailureGroup = {
  tester: 'tester-1',
  stage: 'ice',
  cause: 'timeout',
  count: 3,
  example: {
    viewer: 688,
    timeMs: Date.UTC(2026, 10, 24, 16, 41, 39),
    detail: '4 checks sent, no response within 5 s.',
  },
};
const packet: FailureGroup = { ...ice, stage: 'first-packet', cause: 'silent', count: 1 };

describe('failures', () => {
  it('sums up by stage in the order of the stages', () => {
    expect(failureSummary([packet, ice, { ...ice, tester: 'tester-2', count: 2 }])).toEqual(['ICE 5', 'packet 1']);
    expect(failureSummary([])).toEqual(['none']);
    expect(countsByStage([ice])).toHaveLength(10);
  });

  it('separates failures of the tester', () => {
    const own: FailureGroup = { ...ice, stage: 'tcp', cause: 'tester-open-files', count: 7 };
    expect(failureSummary([own, ice])).toEqual(['tester 7', 'ICE 3']);
    expect(countsByStage([own, ice]).find(({ stage }) => stage === 'tcp')?.count).toBe(0);
    expect(failuresAsText([own])).toContain('7 x TCP, on the tester: The tester ran out of open files');
  });

  it('sorts by count and copies them with their example in UTC', () => {
    expect(byCount([packet, ice])[0]).toBe(ice);
    expect(failuresAsText([ice])).toContain('viewer 688 at 2026-11-24T16:41:39.000Z: 4 checks sent');
  });
});
