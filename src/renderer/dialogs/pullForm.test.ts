import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../domain/node';
import {
  firstPlan,
  initialForm,
  lengthMs,
  pullTargets,
  readDuration,
  readForm,
  type PullForm,
} from './pullForm';

const lab: NodeView = {
  id: 'lab',
  name: 'local lab',
  role: 'origin',
  server: 'lab',
  colourSlot: 1,
  state: 'idle',
  reach: 'this machine',
  host: 'me',
  streams: [],
};
const tester: NodeView = { ...lab, id: 'local', name: 'this machine', role: 'tester', colourSlot: 2 };
const serving: NodeView = {
  ...lab,
  state: 'live',
  streams: [{ stream: 'desk', source: 'camera', viewers: 0 }],
};

function read(change: Partial<PullForm>, origin: NodeView = lab) {
  const targets = pullTargets([origin, tester]);
  return readForm({ ...initialForm(targets, [tester], undefined), ...change }, targets, [tester]);
}

describe('the pull form', () => {
  it('opens with a first pull that publishes the sample', () => {
    const { plan, problems } = read({});
    expect(problems).toEqual([]);
    expect(plan).toEqual({
      name: 'Pull 100',
      nodes: { lab: { server: 'lab' }, local: { tester: 'local' } },
      publish: [{ stream: 'cam', node: 'lab', source: 'sample-240p' }],
      pull: {
        stream: 'cam',
        from: 'lab',
        by: ['local'],
        protocol: 'whep',
        viewers: 100,
        ratePerSecond: 50,
        holdMs: 30_000,
      },
      expect: {
        connected: { comparison: '>=', value: 99 },
        degraded: { comparison: '<=', value: 1 },
        cpu: { comparison: '<=', value: 95 },
        gcPause: { comparison: '<=', value: 10 },
      },
    });
    expect(firstPlan([lab, tester])).toEqual(plan);
    expect(lengthMs(plan!.pull)).toBe(32_000);
  });

  it('remembers the last values and finds the stream again', () => {
    const targets = pullTargets([serving, tester]);
    const form = initialForm(targets, [tester], {
      viewers: 1000,
      ratePerSecond: 200,
      holdMs: 120_000,
      stream: 'desk',
    });
    expect(form).toMatchObject({ target: 'lab desk', viewers: '1000', rate: '200', hold: '2 min' });
  });

  it('leaves a stream alone that somebody else publishes', () => {
    expect(read({}, serving).plan?.publish).toEqual([{ stream: 'desk', node: 'lab', source: 'external' }]);
  });

  it('expects the usual 80 % of CPU when the origin has its machine for itself', () => {
    const targets = pullTargets([{ ...lab, host: 'elsewhere' }]);
    expect(initialForm(targets, [tester], undefined).expect.cpu).toBe('80');
  });

  it('takes commas, and expects nothing where a field is empty', () => {
    const { plan } = read({
      viewers: '1,000',
      expect: { connected: '', degraded: '0.5', cpu: '', gcPause: '' },
    });
    expect(plan?.pull.viewers).toBe(1000);
    expect(plan?.expect).toEqual({ degraded: { comparison: '<=', value: 0.5 } });
  });

  it.each([
    [{ viewers: '0' }, 'pull.viewers'],
    [{ viewers: '1.5' }, 'pull.viewers'],
    [{ viewers: '-3' }, 'pull.viewers'],
    [{ rate: 'fast' }, 'pull.rate'],
    [{ hold: 'a while' }, 'pull.hold'],
    [{ target: 'lab gone' }, 'pull.stream'],
  ])('refuses %o', (change, path) => {
    const { plan, problems } = read(change);
    expect(plan).toBeUndefined();
    expect(problems.map((problem) => problem.path)).toEqual([path]);
  });

  it('offers a unit for a length without one', () => {
    expect(read({ hold: '90' }).problems[0]).toMatchObject({ path: 'pull.hold', mend: '90 s' });
  });

  it('can hold until stopped, but not by a slip', () => {
    expect(read({ hold: 'until stopped' }).plan?.pull.holdMs).toBe(0);
    expect(read({ hold: '0 s' }).problems[0]).toMatchObject({ mend: 'until stopped' });
    const targets = pullTargets([lab]);
    const last = { viewers: 1, ratePerSecond: 1, holdMs: 0, stream: 'cam' };
    expect(initialForm(targets, [tester], last).hold).toBe('until stopped');
  });

  it('reads lengths of time', () => {
    expect(['90 s', '2min', '1 h 30 min', '0s', '1.5m', '10', '5 days', ''].map(readDuration)).toEqual([
      90_000,
      120_000,
      5_400_000,
      0,
      90_000,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
