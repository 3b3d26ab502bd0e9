import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../model/node';
import type { SeriesId } from '../../series/series';
import type { MeasuredSeries } from './autoCharts';
import {
  arranged,
  defaultLayout,
  folded,
  freeChartId,
  moved,
  removed,
  restored,
  withChart,
  type ChartLayout,
  type CustomChart,
} from '../../model/chartLayout';
import { runCharts, type RunChartContext } from './runCharts';

const node = (id: string, role: NodeView['role'], colourSlot: number): NodeView => ({
  id,
  name: `${id} name`,
  role,
  colourSlot,
  state: 'live',
  reach: 'SSH',
  host: id,
  streams: [],
});
const nodes = [node('origin', 'origin', 1), node('tester', 'tester', 2)];
const sample = (of: string, series: SeriesId, max = 1): MeasuredSeries => ({ node: of, series, max });

function chartsOf(over: Partial<RunChartContext> = {}): ReturnType<typeof runCharts> {
  return runCharts({
    nodes,
    expect: {},
    requested: 10,
    layout: defaultLayout,
    measured: [],
    isWithoutLoad: false,
    ...over,
  });
}
const ids = (charts: readonly { readonly id: string }[]): readonly string[] => charts.map(({ id }) => id);

describe('the charts of a run', () => {
  it('are the nine built-in ones by default, and UDP drops once there are any', () => {
    expect(chartsOf().shown).toHaveLength(9);
    const quiet = [sample('tester', 'udpReceiveBufferErrorsPerSecond', 0)];
    expect(chartsOf({ measured: quiet }).shown).toHaveLength(9);
    const dropping = [...quiet, sample('origin', 'udpReceiveBufferErrorsPerSecond', 13_000)];
    const drops = chartsOf({ measured: dropping }).shown.at(-1);
    expect(drops).toMatchObject({ id: 'auto:udp-drops', title: 'UDP drops', subtitle: '/s' });
    // Only nodes with drops.
    expect(drops?.panels[0]?.traces.map(({ key }) => key)).toEqual(['origin udpReceiveBufferErrorsPerSecond']);
  });

  it('draw a line per audience where the run has recorded several, and per tester otherwise', () => {
    const audiences = [
      { id: 'audience:1', name: 'WHEP', colourSlot: 3 },
      { id: 'audience:2', name: 'HLS', colourSlot: 4 },
    ];
    const keysOf = (chart: string, measured: readonly MeasuredSeries[]) =>
      chartsOf({ audiences, measured })
        .shown.find(({ id }) => id === chart)
        ?.panels[0]?.traces.map(({ key }) => key);
    const ofTester = [sample('tester', 'viewersConnected'), sample('tester', 'liveLatencyP50Ms')];
    expect(keysOf('frameRate', ofTester)).toEqual(['tester']);
    const both = [...ofTester, sample('audience:1', 'viewersConnected'), sample('audience:2', 'liveLatencyP50Ms')];
    expect(keysOf('frameRate', both)).toEqual(['audience:1', 'audience:2']);
    expect(keysOf('viewers', both)).toEqual(['audience:1', 'audience:2', 'origin', 'asked']);
    // Their testers contain the same viewers.
    expect(keysOf('auto:live-latency', both)).toEqual(['audience:2 liveLatencyP50Ms']);
  });

  it('stack the stages of the first frame in their order, as lines where several testers have them', () => {
    const stages = (...testers: readonly string[]) =>
      testers.flatMap((tester) =>
        (['keyframeP50Ms', 'iceP50Ms', 'tcpP50Ms', 'tcpP95Ms'] as const).map((series) => sample(tester, series)),
      );
    const chartWith = (measured: readonly MeasuredSeries[]) =>
      chartsOf({ measured }).shown.find(({ id }) => id === 'auto:first-frame-stages');
    expect(chartsOf().shown.map(({ title }) => title)).not.toContain('First frame, stages');
    const stack = chartWith(stages('tester'));
    expect(stack).toMatchObject({ title: 'First frame, stages', subtitle: 'ms' });
    expect(stack?.panels[0]?.traces.map(({ look, label }) => `${look} ${label}`)).toEqual([
      'stack TCP connect p50',
      'stack ICE p50',
      'stack Packet to frame p50',
    ]);
    const lines = chartWith(stages('tester', 'origin'))?.panels[0]?.traces;
    expect(lines?.map(({ look }) => look)).toEqual(Array.from({ length: 6 }, () => 'line'));
  });

  it('name a missing source, those of viewer metrics only during a run', () => {
    const measured = [sample('tester', 'viewersConnected')];
    const noSourceOf = (requested: number, chart: string) =>
      chartsOf({ requested, measured }).shown.find(({ id }) => id === chart)?.noSource;
    expect(noSourceOf(0, 'cpu')).toBe('No source: add SSH or node_exporter');
    expect(noSourceOf(0, 'frameRate')).toBeUndefined();
    expect(noSourceOf(10, 'frameRate')).toBe('No source: the testers of this run do not measure it');
  });

  describe('without data wait for the first sample', () => {
    const waiting = 'Waiting for the first sample';
    const starting = { hosts: true, viewers: true };
    const withLink = (state: NonNullable<NodeView['links']>[number]['state'], problem?: string): NodeView[] => [
      { ...(nodes[0] as NodeView), links: [{ kind: 'ssh', label: 'SSH', state, ...(problem ? { problem } : {}) }] },
    ];
    const sentence = (chart: string, over: Partial<RunChartContext>) =>
      chartsOf({ isLive: true, ...over }).shown.find(({ id }) => id === chart)?.noSource;

    it.each<[string, readonly MeasuredSeries[], Partial<RunChartContext>, string]>([
      ['before the first viewer', [], { starting }, `${waiting}: no viewer has connected yet`],
      [
        'while all viewers fail',
        [sample('tester', 'viewersConnected', 0)],
        {},
        `${waiting}: no viewer has connected yet`,
      ],
      ['with the first viewers', [sample('tester', 'viewersConnected')], { starting }, waiting],
      [
        'after a run without any',
        [sample('tester', 'viewersConnected', 0)],
        { isLive: false },
        'No data: no viewer connected',
      ],
    ])('of viewers %s', (_, measured, over, expected) => {
      expect(sentence('frameRate', { measured, ...over })).toBe(expected);
    });

    it.each<[string, NodeView[], Partial<RunChartContext>, string]>([
      ['while its SSH connects', withLink('connecting'), { starting }, waiting],
      ['before the first reading over SSH', withLink('live'), { starting }, waiting],
      ['later', withLink('live'), {}, 'No source: origin name: its SSH does not report it'],
      ['with a fault', withLink('lost', 'No route.'), { starting }, 'No source: origin name: No route'],
      ['without a source', nodes, { starting }, 'No source: add SSH or node_exporter'],
      ['while it starts', [{ ...(nodes[0] as NodeView), state: 'starting' }], {}, waiting],
    ])('of a host %s', (_, of, over, expected) => {
      expect(sentence('cpu', { nodes: of, ...over })).toBe(expected);
    });
  });

  it('of an import are those with data, and one for each further family', () => {
    const measured = [
      ...(['cpuPercent', 'load1', 'load5', 'load15', 'memoryUsedBytes', 'networkInMbps'] as const),
      ...(['networkOutMbps', 'networkInMbps:eth0', 'networkOutMbps:eth0', 'cpuCorePercent:0'] as const),
      ...(['cpuCorePercent:1', 'socketsUsed', 'udpSockets', 'tcpSockets', 'server:ports_free'] as const),
    ].map((series) => sample('origin', series));
    const { shown } = chartsOf({ measured, isWithoutLoad: true });
    const drawn = shown.flatMap(({ panels }) =>
      panels.flatMap(({ traces }) => traces.flatMap(({ inputs }) => inputs.map(({ series }) => series))),
    );
    for (const { series } of measured) expect(drawn, series).toContain(series);
    expect(ids(shown)).not.toContain('connect');
    expect(ids(shown)).toContain('auto:sockets');
  });

  it('of a watched fleet are those with data, without panels that have none', () => {
    const measured = [sample('origin', 'cpuPercent'), sample('origin', 'originViewers', 3)];
    const { shown } = chartsOf({ requested: 0, measured, onlyWithData: true });
    expect(ids(shown)).toEqual(['viewers', 'cpu']);
    expect(shown.map(({ panels }) => panels.length)).toEqual([1, 1]);
    expect(chartsOf({ measured }).shown.find(({ id }) => id === 'cpu')?.panels).toHaveLength(2);
  });

  it('show a custom chart of several series and nodes, each line with its own label', () => {
    const chart: CustomChart = { id: 'custom:1', title: 'RTT', series: ['rttP50Ms', 'rttP95Ms'] };
    const measured = [sample('tester', 'rttP50Ms'), sample('tester', 'rttP95Ms'), sample('origin', 'rttP50Ms')];
    const made = chartsOf({ layout: withChart(defaultLayout, chart), measured }).shown.at(-1);
    expect(made).toMatchObject({ id: 'custom:1', title: 'RTT', subtitle: 'ms' });
    expect(made?.panels[0]?.traces.map(({ label }) => label)).toEqual([
      'origin name RTT p50',
      'tester name RTT p50',
      'tester name RTT p95',
    ]);
    const slots = made?.panels[0]?.traces.map(({ owner }) => owner.kind === 'node' && owner.colourSlot);
    expect(new Set(slots).size).toBe(3);
  });

  it('keep node colours in a custom chart of one series, and draw bytes as MiB', () => {
    const chart: CustomChart = { id: 'custom:1', title: 'Memory', series: ['processMemoryBytes'] };
    const made = chartsOf({ layout: withChart(defaultLayout, chart) }).shown.at(-1);
    expect(made?.panels[0]).toMatchObject({ unit: 'MiB' });
    expect(made?.panels[0]?.traces).toMatchObject([
      { label: 'origin name', owner: { colourSlot: 1 }, factor: 2 ** -20 },
      { label: 'tester name', owner: { colourSlot: 2 }, factor: 2 ** -20 },
    ]);
    const one = chartsOf({ layout: withChart(defaultLayout, { ...chart, nodes: ['tester'] }) }).shown.at(-1);
    expect(one?.panels[0]?.traces.map(({ key }) => key)).toEqual(['tester processMemoryBytes']);
  });
});

describe('a layout', () => {
  it('moves, folds, removes and restores charts', () => {
    const shown = (layout: ChartLayout): readonly string[] => ids(chartsOf({ layout }).shown);
    const all = chartsOf().shown.map(({ id }) => id);
    const first = moved(defaultLayout, all, 'memory', 0);
    expect(shown(first).slice(0, 2)).toEqual(['memory', 'viewers']);
    const without = removed(first, 'cpu');
    expect(shown(without)).not.toContain('cpu');
    expect(ids(chartsOf({ layout: without }).hidden)).toEqual(['cpu']);
    expect(shown(restored(without, 'cpu'))).toContain('cpu');
    const lined = folded(first, 'gc', true);
    expect(ids(chartsOf({ layout: lined }).folded)).toEqual(['gc']);
    expect(shown(folded(lined, 'gc', false))).toContain('gc');
  });

  it('deletes a removed custom chart, and assigns new ones a free id', () => {
    const chart: CustomChart = { id: freeChartId(defaultLayout), title: 'A', series: ['load5'] };
    const layout = withChart(defaultLayout, chart);
    expect(freeChartId(layout)).toBe('custom:2');
    expect(removed(layout, chart.id)).toEqual(defaultLayout);
  });

  it('keeps the position of charts that this run does not have', () => {
    const layout: ChartLayout = { ...defaultLayout, order: ['auto:udp-drops', 'cpu', 'viewers'] };
    const next = moved(layout, ['cpu', 'viewers'], 'viewers', 0);
    expect(arranged([{ id: 'cpu' }, { id: 'viewers' }], next).map(({ id }) => id)).toEqual(['viewers', 'cpu']);
    expect(next.order).toContain('auto:udp-drops');
  });
});
