import type { ChartSpec } from '../chartSpec';
import type { AutoChartId } from '../../model/chartIds';
import type { LineSubject } from '../chartTraces';
import { seriesDefinition, type SeriesId } from '../../series/series';
import { axisUnit, lineChart, linesOf } from './customChart';

/** A series of a node with samples in the run. */
export interface MeasuredSeries {
  readonly node: string;
  readonly series: SeriesId;
  /** The highest value so far. */
  readonly max: number;
}

interface Family {
  readonly id: AutoChartId;
  readonly title: string;
  readonly has: (series: SeriesId) => boolean;
  /** Parts of one quantity, stacked in this order where one node records them. */
  readonly parts?: readonly SeriesId[];
}

const oneOf =
  (...ids: readonly SeriesId[]) =>
  (series: SeriesId): boolean =>
    ids.includes(series);

/** Datagrams and packets lost on a host before any program received them. Normally all 0. */
const dropSeries = [
  'udpReceiveBufferErrorsPerSecond',
  'udpInErrorsPerSecond',
  'udpSendBufferErrorsPerSecond',
  'testerSocketDropsPerSecond',
  'testerReceiveBufferErrorsPerSecond',
  'testerNetworkDropsPerSecond',
] as const satisfies readonly SeriesId[];

const drops: Family = { id: 'auto:udp-drops', title: 'UDP drops', has: oneOf(...dropSeries) };

/** Charts of viewers with a player's buffer, as those of HLS. */
const ofPlayers: readonly Family[] = [
  { id: 'auto:live-latency', title: 'Live latency', has: oneOf('liveLatencyP50Ms', 'liveLatencyP95Ms') },
  { id: 'auto:buffered-media', title: 'Buffered media', has: oneOf('playerBufferP50Ms', 'playerBufferP5Ms') },
];

const stages = [
  'dnsP50Ms',
  'tcpP50Ms',
  'tlsP50Ms',
  'signallingP50Ms',
  'iceP50Ms',
  'dtlsP50Ms',
  'firstPacketP50Ms',
  'keyframeP50Ms',
] as const satisfies readonly SeriesId[];

/** Where the time to the first frame goes. */
const firstFrame: Family = {
  id: 'auto:first-frame-stages',
  title: 'First frame, stages',
  has: oneOf(...stages),
  parts: stages,
};

/** Delay of WebRTC viewers, from the sender's clock. */
const delay: Family = {
  id: 'auto:delay',
  title: 'One-way delay',
  has: oneOf('senderReportDelayP50Ms', 'senderReportDelayP95Ms', 'captureDelayP50Ms', 'captureDelayP95Ms'),
};

/** Delay of browser viewers and control player, from the clock in the picture. */
const glassToGlass: Family = {
  id: 'auto:glass-to-glass',
  title: 'Glass-to-glass delay',
  has: oneOf('glassToGlassP50Ms', 'glassToGlassP95Ms', 'glassToGlassP99Ms'),
};

/** What repairs loss of WebRTC viewers. Shown once there is any. */
const repairs: readonly Family[] = [
  { id: 'auto:loss-before-repair', title: 'Loss before repair', has: oneOf('lossBeforeRepairPercent') },
  {
    id: 'auto:repairs',
    title: 'Retransmissions and FEC',
    has: oneOf('retransmittedPacketsPerSecond', 'fecPacketsPerSecond'),
  },
];

/** Layers of simulcast or scalable video. */
const layers: Family = {
  id: 'auto:layers',
  title: 'Received layers',
  has: (series) => series.startsWith('viewersOfLayer:'),
};

/** Charts of viewers through a TURN server. */
const ofTurn: readonly Family[] = [
  { id: 'auto:relayed', title: 'Relayed viewers', has: oneOf('viewersRelayed') },
  { id: 'auto:turn-allocation', title: 'TURN allocation', has: oneOf('turnAllocationP50Ms', 'turnAllocationP95Ms') },
];

/** Charts of simulated networks; their drops are shown once there are any. */
const ofNetworks: readonly Family[] = [
  {
    id: 'auto:simulated-network',
    title: 'Simulated network',
    has: oneOf('simulatedDownMbps', 'simulatedDownLimitMbps', 'simulatedUpMbps', 'simulatedUpLimitMbps'),
  },
  {
    id: 'auto:simulated-queue',
    title: 'Simulated queue',
    has: oneOf('simulatedDownQueueP50Ms', 'simulatedDownQueueMaxMs', 'simulatedUpQueueP50Ms', 'simulatedUpQueueMaxMs'),
  },
];
const simulatedDrops: Family = {
  id: 'auto:simulated-drops',
  title: 'Simulated loss',
  has: oneOf(
    'simulatedDownRandomDropsPerSecond',
    'simulatedDownBurstDropsPerSecond',
    'simulatedDownQueueDropsPerSecond',
    'simulatedUpRandomDropsPerSecond',
    'simulatedUpBurstDropsPerSecond',
    'simulatedUpQueueDropsPerSecond',
  ),
};

/** Charts of publishers. */
const ofPublishers: readonly Family[] = [
  {
    id: 'auto:publishers',
    title: 'Publishers',
    has: oneOf('publishersLive', 'publishersConnecting', 'publishersFailed'),
  },
  { id: 'auto:publish-rtt', title: 'Publisher round trip', has: oneOf('publishRttP50Ms', 'publishRttP95Ms') },
  {
    id: 'auto:publish-requests',
    title: 'Requests to publishers',
    has: oneOf('publishRetransmissionsPerSecond', 'publishKeyframeRequestsPerSecond'),
  },
];

/** Shown wherever they are measured. */
const always: readonly Family[] = [
  firstFrame,
  ...ofPlayers,
  glassToGlass,
  delay,
  layers,
  ...ofTurn,
  ...ofNetworks,
  ...ofPublishers,
];

/** Series that belong together, for the default charts of runs without load. All of a family have one unit. */
const families: readonly Family[] = [
  { id: 'auto:cores', title: 'CPU cores', has: (series) => series.startsWith('cpuCorePercent:') },
  { id: 'auto:network', title: 'Network', has: oneOf('networkInMbps', 'networkOutMbps') },
  { id: 'auto:interfaces', title: 'Interfaces', has: (series) => /^network(In|Out)Mbps:/.test(series) },
  { id: 'auto:load', title: 'Load 5, 15 min', has: oneOf('load5', 'load15') },
  { id: 'auto:sockets', title: 'Sockets', has: oneOf('socketsUsed', 'udpSockets', 'tcpSockets') },
  { id: 'auto:media', title: 'Media', has: oneOf('originInMbps', 'originOutMbps', 'mediaInMbps') },
  { id: 'auto:process-memory', title: 'Process memory', has: oneOf('processMemoryBytes') },
];

/** Maximum of automatic charts: the others are in `Add chart`. */
const maxAutoCharts = 15;

function familyOf(series: SeriesId): Family {
  const known = families.find(({ has }) => has(series));
  if (known) return known;
  const title = seriesDefinition(series)?.title ?? series;
  return { id: `auto:${series}`, title, has: (other) => other === series };
}

export interface AutoContext {
  readonly nodes: readonly LineSubject[];
  readonly measured: readonly MeasuredSeries[];
  /** The run is of data alone, so that its series are not known in advance. */
  readonly isWithoutLoad: boolean;
  /** The other charts of the run. */
  readonly charts: readonly ChartSpec[];
}

function chartOf(
  family: Family,
  nodes: readonly LineSubject[],
  measured: readonly MeasuredSeries[],
): ChartSpec | undefined {
  const own = measured.filter(({ series }) => family.has(series));
  const found = new Set(own.map(({ series }) => series));
  const ids = family.parts?.filter((series) => found.has(series)) ?? [...found];
  const [first] = ids;
  if (first === undefined) return undefined;
  // Only the server-specific figures of a family can have different units.
  const series = ids.filter((id) => axisUnit(id) === axisUnit(first));
  const keys = new Set(own.map((input) => `${input.node} ${input.series}`));
  const lines = linesOf(series, nodes, (node, each) => keys.has(`${node} ${each}`));
  const isStack = family.parts !== undefined && new Set(lines.map(({ node }) => node.id)).size === 1;
  return lineChart(family.id, family.title, lines, series, isStack ? 'stack' : 'line');
}

/**
 * Automatic charts: drops and repairs once there are any, those of players with a buffer and of simulated networks
 * where they are measured, and in a run without load one for each family of series that no other chart shows.
 */
export function autoCharts({ nodes, measured, isWithoutLoad, charts }: AutoContext): readonly ChartSpec[] {
  const above0 = measured.filter(({ max }) => max > 0);
  const first = [
    ...[drops].flatMap((family) => chartOf(family, nodes, above0) ?? []),
    ...always.flatMap((family) => chartOf(family, nodes, measured) ?? []),
    ...[simulatedDrops, ...repairs].flatMap((family) => chartOf(family, nodes, above0) ?? []),
  ];
  if (!isWithoutLoad) return first;
  const shown = new Set(
    charts.flatMap(({ panels }) =>
      panels.flatMap(({ traces }) =>
        traces.flatMap(({ inputs }) => inputs.map(({ node, series }) => `${node} ${series}`)),
      ),
    ),
  );
  const rest = measured.filter(
    ({ node, series }) =>
      !shown.has(`${node} ${series}`) && ![drops, simulatedDrops, ...always, ...repairs].some(({ has }) => has(series)),
  );
  const found = new Map(rest.map(({ series }) => familyOf(series)).map((family) => [family.id, family]));
  return [...first, ...[...found.values()].flatMap((family) => chartOf(family, nodes, rest) ?? [])].slice(
    0,
    maxAutoCharts,
  );
}
