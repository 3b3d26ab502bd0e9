import { describe, expect, it } from 'vitest';
import type { Audience } from '../../../domain/model/plan';
import { FullhouseError } from '../../../contract/calls';
import type { FleetNode } from '../../fleet/node';
import { Pulls } from '../pulls';
import type { Tester } from '../pull';
import { pullSampleWith } from '../../../../tests/support/pullSample';
import { ControlledAudience } from './controlledAudience';
import type { LoadController, AudienceTarget } from './loadController';

/** A tester that accepts every order and records it. */
function testerNode(): { readonly node: FleetNode; readonly stopped: string[] } {
  const stopped: string[] = [];
  const driver = {
    start: () => Promise.resolve({ warnings: [] }),
    stop: (job: string) => {
      if (stopped.includes(job)) throw new FullhouseError('no-job', 'Stopped already.');
      stopped.push(job);
      return Promise.resolve({ present: 0 });
    },
  };
  return { node: { driver, running: true } as unknown as FleetNode, stopped };
}

const plan: Audience = {
  stream: 'cam',
  from: 'origin',
  by: ['one', 'two'],
  protocol: 'whep',
  viewers: 40,
  ratePerSecond: 20,
  holdMs: 0,
};

/** An audience whose controller follows the test. */
function controlled(isSearch = false) {
  const one = testerNode();
  const two = testerNode();
  const testers: readonly Tester[] = [
    { name: 'one', node: one.node },
    { name: 'two', node: two.node },
  ];
  const pulls = new Pulls();
  const targets: Array<AudienceTarget | 'end'> = [];
  const controller = {
    phase: 'ramp',
    next: () => targets.shift(),
    ...(isSearch ? { found: { trials: [] } } : {}),
  } as unknown as LoadController;
  let job = 0;
  const audience = new ControlledAudience(plan, { testers, url: '' }, controller, {
    clock: { now: () => 1000 },
    nextJob: () => `pull-${(job += 1)}`,
  });
  pulls.addDirected(audience, 0);
  const step = (target: AudienceTarget | 'end'): void => {
    targets.push(target);
    for (const part of audience.step().parts) {
      pulls.add(part, 0);
      void part.start(1000, audience.target);
    }
  };
  /** Every job of a tester reports; `state` and counts as a tester would send them. */
  const report = (tester: { readonly node: FleetNode }, state: 'holding' | 'ended' = 'holding'): void => {
    for (const pull of pulls.list) {
      const samples = pull.jobs
        .filter((job) => job.tester.node === tester.node)
        .map(({ id, viewers }) =>
          pullSampleWith(
            state === 'holding'
              ? { job: id, state, connected: viewers, present: viewers }
              : { job: id, state, connected: 0, present: 0 },
          ),
        );
      pull.take(tester.node, samples, 1000);
    }
  };
  return { audience, pulls, step, report, one, two };
}

describe('jobs of an audience that grows and shrinks', () => {
  it('are one row per stream and tester, with the sum of its parts', () => {
    const { pulls, step, report, one, two } = controlled();
    step({ viewers: 21, ratePerSecond: 10, grain: 1 });
    step({ viewers: 40, ratePerSecond: 10, grain: 1 });
    expect(pulls.list.length).toBeGreaterThan(20);
    expect(pulls.views()).toMatchObject([
      { node: 'one', stream: 'cam', state: 'ramping-up', requested: 20, connected: 0 },
      { node: 'two', stream: 'cam', requested: 20 },
    ]);
    report(one);
    report(two);
    const before = pulls.views();
    expect(before).toMatchObject([
      { node: 'one', state: 'holding', requested: 20, connected: 20, present: 20 },
      { node: 'two', state: 'holding', requested: 20, connected: 20, present: 20 },
    ]);
    step({ viewers: 10, ratePerSecond: 10, grain: 1 });
    const after = pulls.views();
    // Disconnecting viewers are still connected; only the target has changed.
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after).toMatchObject([
      { requested: 5, connected: 20 },
      { requested: 5, connected: 20 },
    ]);
  });

  it('keep the row while the level is 0, and end with the audience', () => {
    const { pulls, step, report, one, two } = controlled();
    step({ viewers: 4, ratePerSecond: 10 });
    report(one);
    report(two);
    step({ viewers: 0, ratePerSecond: 10 });
    report(one, 'ended');
    report(two, 'ended');
    expect(pulls.views()).toMatchObject([
      { state: 'holding', requested: 0, connected: 0 },
      { state: 'holding', requested: 0 },
    ]);
    step('end');
    expect(pulls.views().map(({ state }) => state)).toEqual(['ended', 'ended']);
  });

  it('are stopped by one stop: its tester disconnects them all and gets no more', () => {
    const { audience, pulls, step, report, one, two } = controlled();
    step({ viewers: 20, ratePerSecond: 10, grain: 1 });
    report(one);
    report(two);
    const [row] = pulls.views();
    const found = pulls.findControlled(row?.id ?? '');
    expect(found?.audience).toBe(audience);
    audience.withdraw(found?.tester ?? audience.testers[1]!);
    expect(one.stopped).toHaveLength(10);
    expect(two.stopped).toHaveLength(0);
    expect(pulls.views()).toMatchObject([{ state: 'tearing-down' }, { state: 'holding', connected: 10 }]);
    report(one, 'ended');
    step({ viewers: 40, ratePerSecond: 10, grain: 1 });
    // The other's share of 40 is 20; it does not take over the stopped one.
    expect(pulls.views()).toMatchObject([
      { state: 'ended', connected: 0 },
      { state: 'ramping-up', requested: 20 },
    ]);
    expect(audience.isOver).toBe(false);
    audience.withdraw(audience.testers[1]!);
    expect(audience.isOver).toBe(true);
  });

  it('end a search when a size can no longer be reached', () => {
    const { audience, pulls, step, report, one, two } = controlled(true);
    step({ viewers: 20, ratePerSecond: 10 });
    report(one);
    report(two);
    audience.withdraw(audience.testers[0]!);
    expect(audience.isOver).toBe(true);
    expect(pulls.views().map(({ state }) => state)).toEqual(['tearing-down', 'tearing-down']);
    expect([one.stopped.length, two.stopped.length]).toEqual([8, 8]);
  });
});
