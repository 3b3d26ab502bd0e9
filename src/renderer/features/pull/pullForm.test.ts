import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import { lengthMs } from '../../../domain/duration/planLength';
import { expectTexts, firstPlan, initialForm, readForm } from './pullForm';
import { type PullForm } from './pullFormFields';
import { formOf } from './plan/planForm';
import { protocolsFor, pullOrigins } from './pullNodes';

const lab: NodeView = {
  id: 'lab',
  name: 'lab',
  role: 'origin',
  server: 'lab',
  colourSlot: 1,
  state: 'idle',
  reach: 'this machine',
  host: 'me',
  streams: [],
};
const tester: NodeView = { ...lab, id: 'local', name: 'local', role: 'tester', colourSlot: 2 };
const serving: NodeView = {
  ...lab,
  state: 'live',
  streams: [{ stream: 'app', source: 'camera', viewers: 0 }],
};

function read(change: Partial<PullForm>, origin: NodeView = lab) {
  const nodes = [origin, tester];
  return readForm({ ...initialForm(nodes, undefined), ...change }, nodes);
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
        outages: { comparison: '<=', value: 5, ifMeasured: true },
        degraded: { comparison: '<=', value: 1, ifMeasured: true },
        cpu: { comparison: '<=', value: 95, ifMeasured: true },
        gcPause: { comparison: '<=', value: 10, ifMeasured: true },
      },
    });
    expect(firstPlan([lab, tester])).toEqual(plan);
    expect(lengthMs(plan!.pull)).toBe(32_000);
  });

  it('has the same bounds of expectations as a plan', () => {
    expect(read({ expect: { degraded: '100' } }).problems).toEqual([]);
    expect(read({ expect: { degraded: '101', gcPause: '60,001' } }).problems.map(({ path }) => path)).toEqual([
      'expect.degraded',
      'expect.gcPause',
    ]);
  });

  it('has the label of the audience, if one is typed', () => {
    expect(read({ options: { label: ' mobile ' } }).plan?.pull.label).toBe('mobile');
    expect(read({ options: { label: ' ' } }).plan?.pull).not.toHaveProperty('label');
  });

  it('requests browser fidelity, transport and tracks only for protocols that support them', () => {
    expect(read({ options: { fidelity: 'browser' } }).plan?.pull.fidelity).toBe('browser');
    expect(read({ options: { fidelity: 'media-only' } }).plan?.pull).not.toHaveProperty('fidelity');
    const can = { publish: [], play: [], serves: [], measure: [], terminate: false };
    const nginx: NodeView = {
      ...serving,
      server: 'nginx-rtmp',
      settings: { server: 'nginx-rtmp', url: 'http://edge/stat' },
      can: { ...can, pull: ['rtmp'] },
    };
    expect(read({ options: { fidelity: 'browser' } }, nginx).plan?.pull).toMatchObject({ protocol: 'rtmp' });
    expect(read({ options: { fidelity: 'browser' } }, nginx).plan?.pull).not.toHaveProperty('fidelity');
    expect(read({ options: { transport: 'tcp' } }).plan?.pull.transport).toBe('tcp');
    expect(read({ options: { transport: 'tcp' } }, nginx).plan?.pull).not.toHaveProperty('transport');
    expect(read({ options: { tracks: 'audio' } }, nginx).plan?.pull.tracks).toBe('audio');
    expect(read({ options: { tracks: 'audio-video' } }, nginx).plan?.pull).not.toHaveProperty('tracks');
  });

  it('remembers the last values and finds the stream again', () => {
    const last = { viewers: 1000, ratePerSecond: 200, holdMs: 120_000, stream: 'app' };
    const form = initialForm([serving, tester], last);
    expect(form).toMatchObject({
      origin: 'lab',
      stream: 'app',
      viewers: '1000',
      rate: '200',
      hold: '2 min',
    });
  });

  it('does not publish a stream that is published externally', () => {
    expect(read({}, serving).plan?.publish).toEqual([{ stream: 'app', node: 'lab', source: 'external' }]);
  });

  it('expects the usual 80 % of CPU if the origin has a dedicated machine', () => {
    const nodes = [{ ...lab, host: 'elsewhere' }, tester];
    expect(expectTexts(initialForm(nodes, undefined), nodes).cpu).toBe('80');
  });

  it('accepts thousands separators, and expects nothing where a field is empty', () => {
    const { plan } = read({
      viewers: '1,000',
      expect: { connected: '', outages: '', degraded: '0.5', cpu: '', gcPause: '' },
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
    [{ origin: 'gone' }, 'pull.stream'],
    [{ stream: '' }, 'pull.stream'],
    [{ stream: 'two\nlines' }, 'pull.stream'],
    [{ testers: [] }, 'pull.by'],
  ])('refuses %o', (change, path) => {
    const { plan, problems } = read(change);
    expect(plan).toBeUndefined();
    expect(problems.map((problem) => problem.path)).toEqual([path]);
  });

  it('suggests a unit for a duration without one', () => {
    expect(read({ hold: '90' }).problems[0]).toMatchObject({ path: 'pull.hold', fix: '90 s' });
  });

  it('can hold until stopped, but not by accident', () => {
    expect(read({ hold: 'until stopped' }).plan?.pull.holdMs).toBe(0);
    expect(read({ hold: '0 s' }).problems[0]).toMatchObject({ fix: 'until stopped' });
    const last = { viewers: 1, ratePerSecond: 1, holdMs: 0, stream: 'cam' };
    expect(initialForm([lab, tester], last).hold).toBe('until stopped');
  });

  it('requires a tester', () => {
    expect(readForm(initialForm([lab], undefined), [lab]).problems[0]?.path).toBe('pull.by');
  });
});

describe('a pull from a fleet', () => {
  const can = { publish: [], play: [], serves: [], measure: [], terminate: false };
  const srs: NodeView = {
    ...lab,
    id: 'srs-7',
    name: 'srs-7',
    server: 'srs',
    host: 'srs-7',
    settings: { server: 'srs', url: 'http://10.20.0.7:1985' },
    can: { ...can, pull: ['whep', 'rtmp', 'hls'] },
  };
  const remote = (number: number, of: Partial<NodeView> = {}): NodeView => ({
    ...tester,
    id: `tester-${number}`,
    name: `tester-${number}`,
    host: `tester-${number}`,
    settings: { tester: 'ssh', ssh: `qa@10.20.0.1${number}` },
    can: { ...can, pull: ['whep'] },
    ...of,
  });
  const nodes = [lab, tester, srs, remote(1), remote(2), remote(3, { state: 'failed' })];
  const form = (change: Partial<PullForm>): PullForm => ({
    ...initialForm(nodes, undefined, { origin: 'srs-7', stream: 'live/cam' }),
    ...change,
  });

  it('describes the chosen nodes by their settings and names, without secrets', () => {
    const { plan, problems } = readForm(form({}), nodes);
    expect(problems).toEqual([]);
    expect(plan?.nodes).toEqual({
      'srs-7': srs.settings,
      'tester-1': { tester: 'ssh', ssh: 'qa@10.20.0.11' },
      'tester-2': { tester: 'ssh', ssh: 'qa@10.20.0.12' },
    });
    expect(plan?.publish).toEqual([{ stream: 'live/cam', node: 'srs-7', source: 'external' }]);
    expect(plan?.pull).toMatchObject({ from: 'srs-7', by: ['tester-1', 'tester-2'], protocol: 'whep' });
  });

  it('leaves the lab of this machine to the tester of this machine', () => {
    expect(readForm(form({ origin: 'lab', stream: 'cam' }), nodes).plan?.pull.by).toEqual(['local']);
    expect(firstPlan(nodes)?.nodes).toEqual({ lab: { server: 'lab' }, local: { tester: 'local' } });
  });

  it('uses the chosen testers, in fleet order', () => {
    expect(readForm(form({ testers: ['tester-2', 'local'] }), nodes).plan?.pull.by).toEqual(['local', 'tester-2']);
  });

  it('offers the protocols that origin and testers have in common', () => {
    const wcs = remote(4, { can: { ...can, pull: ['wcs', 'rtmp'] } });
    expect(protocolsFor(srs, [remote(1)])).toEqual(['whep']);
    expect(protocolsFor(srs, [wcs])).toEqual(['rtmp']);
    expect(protocolsFor(srs, [remote(1), wcs])).toEqual([]);
    expect(protocolsFor(lab, [tester])).toEqual(['whep']);
    const refused = readForm(form({ testers: ['tester-1', 'tester-4'] }), [...nodes, wcs]);
    expect(refused.problems[0]).toMatchObject({ path: 'pull.protocol' });
    expect(refused.problems[0]?.sentence).toContain('srs-7 serves no protocol that tester-1 and tester-4');
  });

  it('does not offer nodes that serve nothing', () => {
    const mute: NodeView = { ...srs, id: 'mute', name: 'mute', can: { ...can, pull: [] } };
    expect(pullOrigins([lab, mute, srs, tester]).map(({ id }) => id)).toEqual(['srs-7', 'lab']);
  });

  it('restores the nodes of the last pull that still exist', () => {
    const last = {
      viewers: 5,
      ratePerSecond: 1,
      holdMs: 1000,
      stream: 'x',
      origin: 'srs-7',
      testers: ['tester-2', 'gone'],
    };
    expect(initialForm(nodes, last)).toMatchObject({ origin: 'srs-7', stream: 'x', testers: ['tester-2'] });
    expect(initialForm([lab, tester], last)).toMatchObject({
      origin: 'lab',
      stream: 'cam',
      testers: undefined,
    });
  });

  it('records the other added nodes that respond, except excluded ones', () => {
    const nginx: NodeView = {
      ...srs,
      id: 'nginx-1',
      name: 'nginx-1',
      state: 'live',
      settings: { server: 'nginx-rtmp', url: 'http://10.20.0.30/stat' },
    };
    const all = [
      ...nodes.slice(0, 4),
      remote(2, { state: 'live' }),
      nginx,
      { ...nginx, id: 'gone', name: 'gone', state: 'stale' as const },
    ];
    const only = form({ testers: ['tester-1'] });
    const { plan } = readForm(only, all);
    expect(Object.keys(plan?.nodes ?? {})).toEqual(['srs-7', 'tester-1', 'tester-2', 'nginx-1']);
    expect(plan?.nodes['nginx-1']).toEqual(nginx.settings);
    expect(plan?.pull.by).toEqual(['tester-1']);
    const less = readForm({ ...only, unobserved: ['tester-2'] }, all).plan;
    expect(Object.keys(less?.nodes ?? {})).toEqual(['srs-7', 'tester-1', 'nginx-1']);
    expect(Object.keys(firstPlan(all)?.nodes ?? {})).toEqual(['lab', 'local']);
  });

  it('publishes a sample under an unknown name only on request, also after a plan was read', () => {
    const can = { play: [], serves: [], measure: ['streams'], terminate: false };
    const srs: NodeView = {
      ...serving,
      server: 'srs',
      settings: { server: 'srs', url: 'http://srs:1985' },
      can: { ...can, pull: ['whep'], publish: ['whip'] },
    };
    const external = read({ stream: 'nostream' }, srs).plan;
    expect(external?.publish).toEqual([{ stream: 'nostream', node: 'lab', source: 'external' }]);
    const form = { ...initialForm([srs, tester], undefined), stream: 'nostream', publishes: true };
    const { plan } = readForm(form, [srs, tester]);
    expect(plan?.publish).toEqual([{ stream: 'nostream', node: 'lab', source: 'sample-240p' }]);
    const again = formOf(plan!, [srs, tester], initialForm([srs, tester], undefined));
    expect(readForm(again, [srs, tester]).plan?.publish).toEqual(plan?.publish);
  });

  it('accepts any stream name without control characters, and limits the hold', () => {
    expect(read({ stream: 'Übung 1/камера' }).plan?.pull.stream).toBe('Übung 1/камера');
    expect(read({ stream: 'a\u202eb' }).problems).toMatchObject([
      { path: 'pull.stream', sentence: expect.stringContaining('U+202E') as string },
    ]);
    expect(read({ hold: '8784 h' }).plan?.pull.holdMs).toBe(8784 * 3_600_000);
    expect(read({ hold: '9999 h' }).problems).toMatchObject([{ path: 'pull.hold', fix: 'until stopped' }]);
  });
});
