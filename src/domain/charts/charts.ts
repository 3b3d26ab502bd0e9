/**
 * The chart definitions: the panels of each chart, and the samples, colours and limits of each panel's lines. The
 * window and the report draw from the same definitions.
 */
import type { ChartSpec, PanelSpec, ReferenceLine } from './chartSpec';
import { slotDashes } from './drawing/strokes';
import type { ChartId } from '../model/chartIds';
import * as traces from './chartTraces';
import { degradedRule } from '../viewer/degraded';
import type { NodeView } from '../model/node';
import { formatFigure, type FigureStyle } from '../text/numberFormat';
import type { Expectation, Expectations } from '../model/plan';
import { measuresLoss, protocolNames, type PullProtocol } from '../model/protocols';
import type { VerdictReason } from '../model/run';

export * from './chartSpec';

export interface ChartContext {
  /** In the sidebar's order. */
  readonly nodes: readonly NodeView[];
  readonly expect: Expectations;
  /** Target viewers; 0 without a run. */
  readonly requested: number;
  /** Ids of the nodes that the run only observes (`observedOnly`); none without a run. */
  readonly observed?: ReadonlySet<string>;
  /** The audiences of a run with several, which has recorded them. */
  readonly audiences?: readonly traces.LineSubject[];
  /** See `traces.Viewers`. */
  readonly together?: string | undefined;
  /** Protocol of the run's viewers; absent without a run. */
  readonly protocol?: PullProtocol;
}

const none: ReadonlySet<string> = new Set();

/** The nodes that take part in the run. */
function busyNodes({ nodes, observed = none }: ChartContext): readonly NodeView[] {
  return nodes.filter(({ id }) => !observed.has(id));
}

function panel(unit: PanelSpec['unit'], high: number, style: FigureStyle, of: Partial<PanelSpec>): PanelSpec {
  return {
    label: '',
    unit,
    weight: 1,
    traces: [],
    lines: [],
    scale: { low: 0, high, fixed: false },
    headStyle: style,
    tooltipStyle: style,
    ...of,
  };
}

function limit(expectation: Expectation | undefined, unit: string): readonly ReferenceLine[] {
  if (!expectation) return [];
  return [
    {
      kind: 'limit',
      value: expectation.value,
      label: `limit ${expectation.value} ${unit}`,
      labelled: 'above',
    },
  ];
}

/** Traffic of this share of the measured capacity (a third) brings its line into view. */
const capacityInView = 3;

interface MeasuredCapacity {
  readonly mbps: number;
  /** `iperf3 9.4 Gbit/s`, with both ends if there is more than one measurement. */
  readonly label: string;
  /** Without its ends. */
  readonly shortLabel: string;
}

/** The lowest iperf3 result between these nodes: the first link to saturate. */
function measuredCapacity(nodes: readonly NodeView[]): MeasuredCapacity | undefined {
  const known = nodes.flatMap(({ name, capacity }) => {
    if (!capacity) return [];
    const { mbps, between, direction } = capacity;
    return [{ mbps, way: direction === 'out' ? `${name} to ${between}` : `${between} to ${name}` }];
  });
  // Both ends have the same measurement.
  const ways = new Set(known.map(({ way }) => way));
  const [least] = known.sort((a, b) => a.mbps - b.mbps);
  if (!least) return undefined;
  const label = `iperf3 ${formatBitrate(least.mbps)}`;
  return { mbps: least.mbps, label: ways.size > 1 ? `${label} ${least.way}` : label, shortLabel: label };
}

/** `941 Mbit/s`, `9.4 Gbit/s` */
export function formatBitrate(mbps: number): string {
  return mbps < 1000 ? `${formatFigure(mbps, 'adaptive')} Mbit/s` : `${formatFigure(mbps / 1000, 'adaptive')} Gbit/s`;
}

function bandwidthChart(context: ChartContext): ChartSpec {
  const { nodes, observed = none } = context;
  const capacity = measuredCapacity(busyNodes(context));
  const subtitle = capacity ? `Mbit/s · ${capacity.label}` : 'Mbit/s';
  const lines: readonly ReferenceLine[] = capacity
    ? [
        {
          kind: 'fact',
          value: capacity.mbps,
          label: capacity.label,
          shortLabel: capacity.shortLabel,
          labelled: 'below',
        },
      ]
    : [];
  const reach = capacity && { from: capacity.mbps / capacityInView, to: capacity.mbps };
  return chart('bandwidth', 'Bandwidth', subtitle, 'Mbit/s', [
    panel('Mbit/s', 1, 'adaptive', {
      traces: traces.bandwidth(nodes, observed),
      lines,
      scale: { low: 0, high: 1, fixed: false, reach },
    }),
  ]);
}

/** The nominal frame rate of the origin's streams; undefined while unknown. */
export function nominalFrameRate(nodes: readonly NodeView[]): number | undefined {
  const rates = nodes
    .filter((node) => node.role === 'origin')
    .flatMap((node) => node.streams.map((stream) => stream.fps ?? 0));
  const highest = Math.max(0, ...rates);
  return highest > 0 ? highest : undefined;
}

function frameRatePanel(context: ChartContext): PanelSpec {
  const nominal = nominalFrameRate(busyNodes(context));
  const own = nominal ?? 25;
  const least = Math.round(own * degradedRule.minFrameRateShare * 10) / 10;
  return panel('fps', own, 'tenths', {
    traces: traces.ofViewers(context, 'frameRate', { look: 'noisy', extreme: 'lowest' }),
    lines:
      nominal === undefined
        ? []
        : [
            {
              kind: 'limit',
              value: least,
              label: `degraded below ${least}`,
              shortLabel: `below ${least}`,
              labelled: 'below',
            },
          ],
    scale: { low: Math.floor((own * 0.72) / 2) * 2, high: Math.ceil((own + 0.5) / 2) * 2, fixed: false },
  });
}

function viewersChart(context: ChartContext): ChartSpec {
  const { nodes, requested, audiences = [] } = context;
  const viewers = panel('', Math.max(10, requested), 'integer', {
    weight: 3,
    traces: traces.viewers(context),
  });
  const degraded = panel('', 6, 'integer', { label: 'degraded', traces: [traces.degraded(nodes)] });
  return chart('viewers', 'Viewers', audiences.length > 0 ? 'by audience' : 'by tester', '', [viewers, degraded], {
    gapRings: true,
    isOfViewers: true,
  });
}

function chart(
  id: ChartId,
  title: string,
  subtitle: string,
  shortSubtitle: string,
  panels: readonly PanelSpec[],
  of: Partial<ChartSpec> = {},
): ChartSpec {
  return { id, title, subtitle, shortSubtitle, panels, gapRings: true, isOfViewers: false, ...of };
}

/** The charts of a run, in the order of the grid. */
export function chartsFor(context: ChartContext): readonly ChartSpec[] {
  const { nodes, expect, protocol } = context;
  const cores = traces.fewestCores(busyNodes(context));
  const coreCount = cores?.cores === 1 ? '1 core' : `${cores?.cores} cores`;
  const coresLine: readonly ReferenceLine[] = cores
    ? [
        {
          kind: 'fact',
          value: cores.cores,
          label: `${cores.name} has ${coreCount}`,
          shortLabel: coreCount,
          labelled: 'above',
        },
      ]
    : [];
  const cpu = panel('%', 100, 'integer', {
    traces: traces.cpu(nodes),
    lines: limit(expect.cpu, '%'),
    scale: { low: 0, high: 100, fixed: true },
    tooltipStyle: 'tenths',
    weight: 2,
  });
  const processCpu = panel('%', 10, 'integer', {
    label: 'process, % of one core',
    shortLabel: '% of one core',
    traces: traces.processCpu(nodes),
    tooltipStyle: 'tenths',
  });
  const jitter = { look: 'noisy', extreme: 'highest' } as const;
  const byViewers = { isOfViewers: true, gapRings: true };
  return [
    viewersChart(context),
    chart('cpu', 'CPU', '% of all cores', '% of all cores', [cpu, processCpu]),
    bandwidthChart(context),
    chart('gc', 'GC pause', 'ms, max per s', 'ms', [
      panel('ms', expect.gcPause ? expect.gcPause.value * 1.2 : 1, 'adaptive', {
        traces: traces.gcPause(nodes),
        lines: limit(expect.gcPause, 'ms'),
      }),
    ]),
    chart('memory', 'Memory', 'GiB used', 'GiB', [
      panel('GiB', 1, 'adaptive', { traces: traces.memory(nodes), weight: 2 }),
      panel('MiB', 100, 'adaptive', { label: 'process, MiB', traces: traces.processMemory(nodes) }),
    ]),
    chart('load', 'Load', '1 min', '1 min', [
      panel('', cores ? cores.cores * 1.5 : 1, 'tenths', { traces: traces.load(nodes), lines: coresLine }),
    ]),
    chart('frameRate', 'Frame rate', 'fps, median', 'fps', [frameRatePanel(context)], byViewers),
    chart(
      'jitter',
      'Jitter p95',
      'ms',
      'ms',
      [
        panel('ms', 2, 'adaptive', {
          weight: 3,
          traces: traces.ofViewers(context, 'jitterP95Ms', jitter),
        }),
        panel('%', 0.5, 'hundredths', {
          label: 'loss %',
          scale: { low: 0, high: 0.5, fixed: false, most: 100 },
          traces: traces.ofViewers(context, 'lossPercent', jitter),
        }),
      ],
      // TCP hides both from the receiver.
      protocol !== undefined && !measuresLoss(protocol)
        ? { ...byViewers, absent: `${protocolNames[protocol]} reports neither jitter nor loss` }
        : byViewers,
    ),
    // No ring here: a second without connects is not a missing response.
    chart('connect', 'Connect p50', 'ms', 'ms', [panel('ms', 10, 'integer', { traces: traces.connect(context) })], {
      isOfViewers: true,
      gapRings: false,
    }),
  ];
}

/**
 * How a node's line is distinguished, by the order of adding (from 1): one of eight colours, and a dash pattern from
 * the fifth on, because eight colours alone are too many for colour-blind users.
 */
export function lineOfSlot(colourSlot: number): {
  readonly colour: number;
  readonly dash: readonly number[];
} {
  const place = (Math.max(1, colourSlot) - 1) % 16;
  return { colour: (place % 8) + 1, dash: slotDashes[place >= 8 ? 2 : place >= 4 ? 1 : 0] ?? [] };
}

/** The charts that a reason of a verdict concerns; its numbered mark is shown in these. */
export function chartsOfReason(reason: VerdictReason): readonly ChartId[] {
  switch (reason.expectation) {
    case 'cpu':
      return ['viewers', 'cpu', 'load'];
    case 'degraded':
      return ['viewers', 'frameRate', 'jitter'];
    case 'gcPause':
      return ['gc'];
    case 'connected':
    case 'outages':
      return ['viewers', 'connect'];
    case undefined:
      return ['viewers'];
  }
}
