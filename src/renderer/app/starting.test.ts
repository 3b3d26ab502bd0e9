import { describe, expect, it } from 'vitest';
import { samplePlan } from '../../../tests/support/samplePlan';
import { FakeClient } from '../../../tests/support/fakeClient';
import { FullhouseError } from '../../contract/calls';
import type { ShellApi } from '../../contract/shell';
import { Notices } from '../ui/notices/notices.svelte';
import type { DisplayedRun } from './displayedRun.svelte';
import type { Session } from './session.svelte';
import { Starting, type ReviewedPlan } from './starting.svelte';

const plan = samplePlan();

/** Starts plans with an engine that refuses a start that was not allowed, by this code. */
function startingWith(code?: 'hooks-not-allowed' | 'nodes-not-added') {
  const calls: string[] = [];
  const engine = new FakeClient({
    'schedules.list': () => [],
    'runs.start': ({ allowHooks, allowNodes = [] }) => {
      const isAllowed =
        code === undefined || (code === 'nodes-not-added' ? allowNodes.length > 0 : allowHooks === true);
      if (!isAllowed) throw new FullhouseError(code, 'This plan does more.');
      calls.push('started');
      return { run: 'run-1' };
    },
  });
  const shell = {
    call: (name: string) => {
      calls.push(name);
      return Promise.resolve({ allowed: true });
    },
  } as unknown as Pick<ShellApi, 'call'>;
  const displayed = { record: undefined, showSession: () => calls.push('shown') } as unknown as DisplayedRun;
  const notices = new Notices();
  const starting = new Starting(engine, shell, notices, { nodes: [], isLive: false } as unknown as Session, displayed);
  const reviewed: ReviewedPlan[] = [];
  starting.onReview = (each) => reviewed.push(each);
  return { starting, calls, reviewed, notices };
}

describe('a plan that was taken from a run', () => {
  it('starts at once if this console recorded the run and the engine allows it', async () => {
    const { starting, calls, reviewed } = startingWith();
    await starting.startOf({ isForeign: false }, plan);
    expect([calls, reviewed]).toEqual([['started', 'shown'], []]);
  });

  it('is listed if another console recorded the run, and the engine is not asked', async () => {
    const { starting, calls, reviewed } = startingWith();
    await starting.startOf({ isForeign: true }, plan);
    expect([calls, reviewed]).toEqual([[], [{ plan, isForeign: true }]]);
  });

  it.each(['hooks-not-allowed', 'nodes-not-added'] as const)('is listed if the engine refuses it: %s', async (code) => {
    const { starting, calls, reviewed, notices } = startingWith(code);
    await starting.startOf({ isForeign: false }, plan);
    expect([calls, reviewed, notices.list]).toEqual([[], [{ plan, isForeign: false }], []]);
  });
});

describe('a plan that the Pull dialog has listed', () => {
  it('starts with the addresses that were listed', async () => {
    const { starting, calls } = startingWith('nodes-not-added');
    await starting.start(plan, ['ssh://qa@10.0.0.9']);
    expect(calls).toEqual(['started', 'shown']);
  });

  it('asks the main process for its programs', async () => {
    const { starting, calls } = startingWith('hooks-not-allowed');
    await starting.start(plan);
    expect(calls).toEqual(['shell.allowHooks', 'started', 'shown']);
  });

  it('is listed again if its nodes are others by now', async () => {
    const { starting, calls, reviewed } = startingWith('nodes-not-added');
    await starting.start(plan);
    expect([calls, reviewed]).toEqual([[], [{ plan, isForeign: false }]]);
  });
});
