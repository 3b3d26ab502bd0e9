import { describe, expect, it } from 'vitest';
import { samplePlan } from '../../../tests/support/samplePlan';
import type { Plan, Audience } from '../model/plan';
import type { OptionRow } from '../model/optionRow';
import { optionNames, optionRows, type OptionName } from '../model/options';
import { planShape } from './planShape';
import { audienceIn } from '../../../tests/support/pullPlan';

const plan = samplePlan({ by: ['a', 'b'], weights: { a: 2 } });

/** Another value of an option of one value. */
function otherValue({ value }: OptionRow): string | number | boolean | undefined {
  switch (value.is) {
    case 'flag':
      return true;
    case 'choice':
      return value.of[1];
    case 'count':
      return 3;
    case 'name':
      return 'other';
    case 'pixelSize':
      return '640x360';
    case 'structure':
      return undefined;
  }
}
/** Changes of the options of one value, by name: those that change the load, or the others. */
const ofOneValue = (isSameLoad: boolean): { readonly [Name in OptionName]?: Partial<Audience> } =>
  Object.fromEntries(
    optionNames
      .filter((name) => (optionRows[name].isSameLoad ?? false) === isSameLoad)
      .map((name) => [name, otherValue(optionRows[name])] as const)
      .flatMap(([name, value]) => (value === undefined ? [] : [[name, { [name]: value }]])),
  );

/** A change of every field that changes the load. */
const changes: { readonly [Name in keyof Audience]?: Partial<Audience> } = {
  ...ofOneValue(false),
  weights: { weights: { a: 3 } },
  protocol: { protocol: 'rtmp' },
  viewers: { viewers: 7 },
  ratePerSecond: { ratePerSecond: 7 },
  holdMs: { holdMs: 7000 },
  stages: { stages: [{ kind: 'spike', viewers: 9, forMs: 1000, ratePerSecond: 5 }] },
  search: {
    search: { fromViewers: 1, maxViewers: 9, settleMs: 1000, measureMs: 1000, repeats: 3, precisionPercent: 3 },
  },
  watchFor: { watchFor: { minMs: 1000, maxMs: 2000 } },
  rooms: { rooms: { size: 7, source: 'sample-240p' } },
  network: { network: { rttMs: 80 } },
  turn: { turn: { share: 50 } },
  tokens: { tokens: { template: 'viewer-{n}' } },
  headers: { headers: { 'X-Key': 'hidden' } },
};

describe('the shape of a plan', () => {
  it('differs by every field that changes the load, and by no other', () => {
    const options = optionNames.filter((name) => !optionRows[name].isSameLoad);
    expect(optionNames.filter((name) => Object.hasOwn(changes, name))).toEqual(options);
    const shapes = Object.values(changes).map((change) =>
      planShape({ ...plan, pull: { ...audienceIn(plan), ...change } }),
    );
    expect(new Set([...shapes, planShape(plan)]).size).toBe(shapes.length + 1);
    for (const same of [{ stream: 'other', from: 'other' }, ...Object.values(ofOneValue(true))])
      expect(planShape({ ...plan, pull: { ...audienceIn(plan), ...same } })).toBe(planShape(plan));
  });

  it('differs by parts of stages, searches, networks and publishers that its words leave out', () => {
    const stages = (ratePerSecond: number): Partial<Audience> => ({
      stages: [{ kind: 'step', viewers: 9, by: 3, holdMs: 1000, ratePerSecond }],
    });
    const search = (settleMs: number): Partial<Audience> => ({
      search: { fromViewers: 1, maxViewers: 9, settleMs, measureMs: 1000, repeats: 3, precisionPercent: 3 },
    });
    const network = (afterMs: number): Partial<Audience> => ({
      network: { rttMs: 80, steps: [{ atMs: afterMs, rttMs: 100 }] },
    });
    const shapeOf = (pull: Partial<Audience>, over: Partial<Plan> = {}): string =>
      planShape({ ...plan, ...over, pull: { ...audienceIn(plan), ...pull } });
    for (const make of [stages, search, network]) expect(shapeOf(make(1000))).not.toBe(shapeOf(make(2000)));
    const [published] = plan.publish;
    const publish = (source: string): Partial<Plan> => ({ publish: published ? [{ ...published, source }] : [] });
    expect(shapeOf({}, publish('/a.mp4'))).not.toBe(shapeOf({}, publish('/b.mp4')));
    expect(shapeOf({}, publish('sample-240p'))).toBe(shapeOf({}, { publish: [] }));
  });

  it('has its options in an order that stays, because it is saved with runs and compared as text', () => {
    const { tracks, transport, watchFor, weights, tokens, headers, reconnect, browserViewers, streams, network } =
      changes;
    const viewers = { ...network, ...tracks, ...transport, ...watchFor, ...weights, ...tokens, ...headers };
    const pull: Audience = { ...audienceIn(plan), ...viewers, ...streams, ...browserViewers, ...reconnect };
    expect(planShape({ ...plan, pull })).toBe(
      'whep over RTT 80 ms, audio only, ICE over TCP, each for 1s-2s, weights 3:1, tokens by template, ' +
        'headers X-Key, reconnect true, browserViewers 3, streams 3, 1000 at 200/s, hold 1 min',
    );
  });

  it('has no value of a header or token', () => {
    const pull = { ...audienceIn(plan), headers: { Authorization: 'hidden-1' }, tokens: { template: 'hidden-2-{n}' } };
    expect(planShape({ ...plan, pull })).not.toContain('hidden');
  });
});
