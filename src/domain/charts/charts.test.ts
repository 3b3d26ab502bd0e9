import { describe, expect, it } from 'vitest';
import { chartsFor, chartsOfReason, isAbout, lineOfSlot, nominalFrameRate, type ChartSpec } from './charts';
import { builtInChartIds, type ChartId } from '../model/chartIds';
import type { NodeView } from '../model/node';

function node(id: string, role: NodeView['role'], of: Partial<NodeView> = {}): NodeView {
  return { id, name: id, role, colourSlot: 1, state: 'live', reach: 'test', host: id, streams: [], ...of };
}
const machine = (cores: number): NodeView['machine'] => ({
  system: 'Linux',
  kernel: '6.1',
  cpuModel: 'test',
  cores,
  memoryBytes: 1,
  versions: {},
});
const origin = node('origin', 'origin', {
  machine: machine(4),
  streams: [{ stream: 'cam', source: 'sample', viewers: 0, fps: 25 }],
});
const context = { expect: {}, requested: 1000 };

function chart(charts: readonly ChartSpec[], id: ChartId): ChartSpec {
  const found = charts.find((chart) => chart.id === id);
  if (!found) throw new Error(`no chart ${id}`);
  return found;
}
function inputs(charts: readonly ChartSpec[], id: ChartId, panel = 0): string[] {
  return (chart(charts, id).panels[panel]?.traces ?? []).map(
    (trace) => `${trace.key}=${trace.inputs.map((input) => `${input.node}.${input.series}`).join('+')}`,
  );
}

describe('chartsFor', () => {
  it('returns the nine charts in the order of the grid', () => {
    expect(chartsFor({ ...context, nodes: [origin] }).map((chart) => chart.id)).toEqual([...builtInChartIds]);
  });

  it('shows the host of a tester on a dedicated machine', () => {
    const charts = chartsFor({ ...context, nodes: [origin, node('tester', 'tester')] });
    expect(inputs(charts, 'cpu')).toEqual(['origin=origin.cpuPercent', 'tester=tester.cpuPercent']);
    expect(inputs(charts, 'memory')).toEqual(['origin=origin.memoryUsedBytes', 'tester=tester.memoryUsedBytes']);
    expect(inputs(charts, 'load')).toEqual(['origin=origin.load1', 'tester=tester.load1']);
  });

  it("draws CPU, memory and load of a machine once, in the origin's colour, and each process separately", () => {
    const here = { host: 'this-machine' };
    const local = node('local', 'tester', { ...here, colourSlot: 2 });
    const lab = node('lab', 'origin', { ...here, colourSlot: 3 });
    const far = node('far', 'tester');
    const charts = chartsFor({ ...context, nodes: [local, lab, far] });
    for (const [id, series] of [
      ['cpu', 'cpuPercent'],
      ['memory', 'memoryUsedBytes'],
      ['load', 'load1'],
    ] as const) {
      expect(inputs(charts, id)).toEqual([`lab=lab.${series}+local.${series}`, `far=far.${series}`]);
      const [shared, own] = chart(charts, id).panels[0]?.traces ?? [];
      expect([shared?.label, own?.label]).toEqual(['this machine', 'far']);
      expect(shared?.owner).toEqual({ kind: 'node', node: 'lab', colourSlot: 3, alsoOf: ['local'] });
      expect(shared?.combine).toBe('firstMeasured');
    }
    // A lab that is not started does not cause its machine's load.
    const idle = chartsFor({ ...context, nodes: [{ ...lab, state: 'idle' }, local] });
    expect(chart(idle, 'cpu').panels[0]?.traces[0]?.owner).toMatchObject({ node: 'local', colourSlot: 2 });
    expect(chart(charts, 'cpu').panels.map(({ unit, label }) => [unit, label])).toEqual([
      ['%', ''],
      ['%', 'process, % of one core'],
    ]);
    expect(inputs(charts, 'cpu', 1)).toEqual([
      'local=local.processCpuPercent',
      'lab=lab.processCpuPercent',
      'far=far.processCpuPercent',
    ]);
    expect(inputs(charts, 'memory', 1)[1]).toBe('lab=lab.processMemoryBytes');
    const processes = chart(charts, 'memory').panels[1];
    expect([processes?.unit, processes?.traces[1]?.factor]).toEqual(['MiB', 1 / 2 ** 20]);
    expect(chart(charts, 'cpu').panels[1]?.traces.map(({ factor }) => factor)).toEqual([1, 1, 1]);
  });

  it('treats nodes of unknown machines as separate', () => {
    const unknown = { host: 'unknown' };
    const charts = chartsFor({
      ...context,
      nodes: [node('a', 'origin', unknown), node('b', 'tester', unknown)],
    });
    expect(inputs(charts, 'cpu')).toEqual(['a=a.cpuPercent', 'b=b.cpuPercent']);
  });

  it('matches a line with the nodes it represents', () => {
    const owner = { kind: 'node', node: 'lab', colourSlot: 1, alsoOf: ['local'] } as const;
    expect(['lab', 'local', 'far'].map((id) => isAbout(owner, new Set([id])))).toEqual([true, true, false]);
    expect(isAbout({ kind: 'neutral' }, new Set(['lab']))).toBe(false);
  });

  it('shows the lowest iperf3 result, but not while traffic is far below it', () => {
    const measured = { protocol: 'tcp', between: 'tester', direction: 'out', measuredMs: 1 } as const;
    const at = (...nodes: NodeView[]): ChartSpec => chart(chartsFor({ ...context, nodes }), 'bandwidth');
    expect(at(origin).panels[0]?.lines).toEqual([]);
    expect(at(origin).subtitle).toBe('Mbit/s');
    const both = at(
      { ...origin, capacity: { ...measured, mbps: 9400 } },
      node('tester', 'tester', {
        capacity: { ...measured, mbps: 9400, between: 'origin', direction: 'in' },
      }),
    );
    expect(both.panels[0]?.lines).toEqual([
      {
        kind: 'fact',
        value: 9400,
        label: 'iperf3 9.4 Gbit/s',
        shortLabel: 'iperf3 9.4 Gbit/s',
        labelled: 'below',
      },
    ]);
    expect(both.panels[0]?.scale.reach).toEqual({ from: 9400 / 3, to: 9400 });
    const two = at(
      { ...origin, capacity: { ...measured, mbps: 9400 } },
      node('far', 'tester', { capacity: { ...measured, mbps: 941, between: 'origin' } }),
    );
    expect(two.subtitle).toBe('Mbit/s · iperf3 941 Mbit/s far to origin');
  });

  it("prefers the origin's own count of sent traffic", () => {
    const charts = chartsFor({ ...context, nodes: [origin, node('tester', 'tester')] });
    expect(inputs(charts, 'bandwidth')).toEqual([
      'origin=origin.originOutMbps+origin.networkOutMbps',
      'tester=tester.mediaInMbps',
    ]);
  });

  it('stacks testers first, then the origin, then the target, and sums degraded viewers', () => {
    const charts = chartsFor({ ...context, nodes: [origin, node('a', 'tester'), node('b', 'tester')] });
    expect(inputs(charts, 'viewers')).toEqual([
      'a=a.viewersConnected',
      'b=b.viewersConnected',
      'origin=origin.originViewers',
      'asked=a.viewersRequested+b.viewersRequested',
    ]);
    expect(inputs(charts, 'viewers', 1)).toEqual(['degraded=a.viewersDegraded+b.viewersDegraded']);
    expect(chart(charts, 'viewers').panels[0]?.scale.high).toBe(1000);
  });

  it('draws limits only for expectations', () => {
    const without = chartsFor({ ...context, nodes: [origin] });
    expect(chart(without, 'cpu').panels[0]?.lines).toEqual([]);
    const expected = {
      cpu: { comparison: '<=', value: 80 },
      gcPause: { comparison: '<=', value: 10 },
    } as const;
    const charts = chartsFor({ nodes: [origin], expect: expected, requested: 0 });
    expect(chart(charts, 'cpu').panels[0]?.lines).toEqual([
      { kind: 'limit', value: 80, label: 'limit 80 %', labelled: 'above' },
    ]);
    expect(chart(charts, 'gc').panels[0]?.lines).toEqual([
      { kind: 'limit', value: 10, label: 'limit 10 ms', labelled: 'above' },
    ]);
    expect(chart(charts, 'gc').panels[0]?.scale.high).toBeGreaterThan(10);
  });

  it('names the host with the fewest cores in the load chart', () => {
    const small = node('small', 'tester', { machine: machine(2) });
    const charts = chartsFor({ ...context, nodes: [origin, small] });
    expect(chart(charts, 'load').panels[0]?.lines).toEqual([
      { kind: 'fact', value: 2, label: 'small has 2 cores', shortLabel: '2 cores', labelled: 'above' },
    ]);
  });

  it("derives the frame rate limit from the stream's own rate", () => {
    const charts = chartsFor({ ...context, nodes: [origin] });
    expect(chart(charts, 'frameRate').panels[0]?.lines).toEqual([
      { kind: 'limit', value: 20, label: 'degraded below 20', shortLabel: 'below 20', labelled: 'below' },
    ]);
    expect(chart(charts, 'frameRate').panels[0]?.scale).toEqual({ low: 18, high: 26, fixed: false });
    expect(nominalFrameRate([node('origin', 'origin')])).toBeUndefined();
  });

  it('shows the host of an observed origin, but not its audience', () => {
    const edge = node('edge', 'origin', {
      machine: machine(1),
      streams: [{ stream: 'film', source: 'RTMP', fps: 50 }],
    });
    const nodes = [origin, node('a', 'tester'), edge, node('spare', 'tester')];
    const charts = chartsFor({ ...context, nodes, observed: new Set(['edge', 'spare']) });
    for (const id of ['cpu', 'memory', 'load', 'bandwidth', 'gc'] as const)
      expect(chart(charts, id).panels[0]?.traces.map(({ key }) => key)).toContain('edge');
    expect(inputs(charts, 'viewers')).not.toContain('edge=edge.originViewers');
    expect(inputs(charts, 'viewers')).toContain('origin=origin.originViewers');
    // Its machine and its streams are irrelevant to this audience.
    expect(chart(charts, 'load').panels[0]?.lines[0]?.label).toBe('origin has 4 cores');
    expect(chart(charts, 'frameRate').panels[0]?.lines[0]?.value).toBe(20);
    const frameRates = chart(charts, 'frameRate').panels[0]?.traces;
    expect(frameRates?.map(({ key, onlyWhenMeasured }) => [key, onlyWhenMeasured])).toEqual([
      ['a', false],
      ['spare', true],
    ]);
  });

  it('gives every trace of a chart a unique key', () => {
    for (const chart of chartsFor({ ...context, nodes: [origin, node('a', 'tester'), node('b', 'tester')] }))
      for (const panel of chart.panels)
        expect(new Set(panel.traces.map((trace) => trace.key)).size).toBe(panel.traces.length);
  });
});

describe('lineOfSlot', () => {
  it('draws 16 nodes as 16 different lines: solid, dashed, dotted', () => {
    expect(lineOfSlot(1)).toEqual({ colour: 1, dash: [] });
    expect(lineOfSlot(5)).toEqual({ colour: 5, dash: [5, 2] });
    expect(lineOfSlot(9)).toEqual({ colour: 1, dash: [1.5, 2] });
    const lines = Array.from({ length: 16 }, (_, index) => JSON.stringify(lineOfSlot(index + 1)));
    expect(new Set(lines).size).toBe(16);
  });
});

describe('chartsOfReason', () => {
  const reason = { number: 1, sentence: '', expected: '', timeMs: 0 };
  it('shows the number of a reason only in charts that it concerns', () => {
    expect(chartsOfReason({ ...reason, expectation: 'gcPause' })).toEqual(['gc']);
    expect(chartsOfReason({ ...reason, expectation: 'cpu' })).toContain('load');
    expect(chartsOfReason(reason)).toEqual(['viewers']);
  });
});
