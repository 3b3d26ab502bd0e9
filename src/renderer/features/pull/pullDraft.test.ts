import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClient } from '../../../../tests/support/fakeClient';
import type { NodeView } from '../../../domain/model/node';
import { parsePlan } from '../../../domain/plan/planYaml';
import { planToYaml } from '../../../domain/plan/planText';
import { PullDraft } from './pullDraft.svelte';
import { audienceIn } from '../../../../tests/support/pullPlan';

const lab: NodeView = {
  id: 'lab',
  name: 'lab',
  role: 'origin',
  server: 'lab',
  colourSlot: 1,
  state: 'live',
  reach: 'this machine',
  host: 'me',
  streams: [{ stream: 'cam', source: 'sample-240p', viewers: 0 }],
};
const tester: NodeView = { ...lab, id: 'local', name: 'local', role: 'tester', colourSlot: 2, streams: [] };

describe('a pull that is edited as text', () => {
  let draft: PullDraft;
  beforeEach(async () => {
    vi.useFakeTimers();
    const engine = new FakeClient({
      'plan.parse': ({ yaml }) => {
        const { plan, warnings } = parsePlan(yaml);
        return { plan, warnings: [...warnings] };
      },
      'plan.check': () => ({ problems: [], checks: [], unknownBitrates: [] }),
      'plans.consent': () => ({ items: [], contacts: [], newNodes: [] }),
    });
    draft = new PullDraft(engine, [lab, tester], undefined, undefined, (error) => {
      throw error;
    });
    await vi.advanceTimersByTimeAsync(0);
  });
  afterEach(() => {
    draft.dispose();
    vi.useRealTimers();
  });
  const yaml = (viewers: number): string => {
    const { plan } = draft;
    if (!plan) throw new Error('The form has no plan.');
    return planToYaml({ ...plan, pull: { ...audienceIn(plan), viewers } });
  };

  it('is stale from the first key until the new text is parsed and checked', async () => {
    expect(draft.isStale).toBe(false);
    draft.type(yaml(10));
    expect([draft.isParsing, draft.isStale]).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([draft.isParsing, draft.isStale, draft.plan?.pull?.viewers]).toEqual([false, false, 10]);

    // The plan is still that of the earlier text: it must not be taken for this one.
    draft.type(yaml(20));
    expect([draft.plan?.pull?.viewers, draft.isParsing, draft.isStale]).toEqual([10, true, true]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([draft.plan?.pull?.viewers, draft.isParsing, draft.isStale]).toEqual([20, false, false]);
  });

  it('has the problem of a text that is no plan, and starts anew in a second edit', async () => {
    draft.type('pull: [');
    await vi.advanceTimersByTimeAsync(1000);
    expect([draft.isParsing, draft.plan, typeof draft.textProblem]).toEqual([false, undefined, 'string']);
    draft.leaveText();
    expect(draft.isParsing).toBe(false);
    draft.type('pull: [');
    expect(draft.isParsing).toBe(true);
  });
});
