import type { ViewerRow, ViewerDetail, ViewerTimelineEntry, ViewerRoute } from '../../../contract/viewerSchemas';
import { failureClause } from '../../../domain/failure/causes';
import type { DelayMethod } from '../../../domain/viewer/delay';
import { formatFigure } from '../../../domain/text/numberFormat';
import { bytesFigure, figure, grouped, type Figure } from '../../ui/format/numbers';

/** Titles of the timeline's entries; an entry added by a later agent is shown by its raw name. */
const titles: Readonly<Record<string, string>> = {
  arrived: 'Started',
  dns: 'Name resolved',
  tcp: 'TCP connected',
  tls: 'TLS connected',
  turn: 'TURN address allocated',
  offer: 'Offer sent',
  answer: 'Answer received',
  ice: 'ICE connected',
  dtls: 'DTLS connected',
  play: 'Playback accepted',
  'first-packet': 'First packet',
  'first-frame': 'First frame',
  degraded: 'Degraded',
  recovered: 'Recovered',
  stall: 'Stall',
  failed: 'Failed',
  disconnecting: 'Disconnecting',
  disconnected: 'Disconnected',
};

/** Entries that end a stage of the first frame. */
const stageEnds: ReadonlySet<string> = new Set(
  'dns tcp tls turn answer ice dtls play first-packet first-frame'.split(' '),
);

export interface TimelineRow {
  readonly title: string;
  /** Since the start of the viewer, `+14.2 ms` or `+40.2 s`. */
  readonly at: string;
  /** Duration or cause. */
  readonly note: string;
  readonly tone: 'good' | 'warning' | 'failure' | 'plain';
}

const tones: Readonly<Record<string, TimelineRow['tone']>> = {
  degraded: 'warning',
  stall: 'warning',
  failed: 'failure',
  'first-frame': 'good',
  recovered: 'good',
};

/** Milliseconds below a second, then seconds. */
function sinceText(ms: number): string {
  return ms < 1000 ? `${formatFigure(ms, 'tenths')} ms` : `${formatFigure(ms / 1000, 'tenths')} s`;
}

/** The entries of a viewer, from its row alone if its tester has no more. */
export function timelineRows(row: ViewerRow, detail: ViewerDetail | undefined): readonly TimelineRow[] {
  const entries = detail?.timeline ?? entriesOf(row);
  let stageFromMs = 0;
  return entries.map((entry): TimelineRow => {
    const { atMs, name, forMs } = entry;
    const tookMs = atMs - stageFromMs;
    if (stageEnds.has(name)) stageFromMs = atMs;
    const reason = name === 'failed' && row.failure ? failureClause(row.failure) : entry.reason;
    return {
      title: `${titles[name] ?? name}${reason ? `: ${reason}` : ''}`,
      at: `+${sinceText(atMs)}`,
      note: noteOf(name, forMs, tookMs),
      tone: tones[name] ?? 'plain',
    };
  });
}

function noteOf(name: string, forMs: number | undefined, tookMs: number): string {
  if (forMs !== undefined) return `${name === 'recovered' ? 'after' : 'for'} ${sinceText(forMs)}`;
  return stageEnds.has(name) ? `took ${sinceText(tookMs)}` : '';
}

function entriesOf(row: ViewerRow): ViewerTimelineEntry[] {
  if (row.arrivedMs === undefined) return [];
  return [
    { atMs: 0, name: 'arrived' },
    ...(row.connectMs === undefined ? [] : [{ atMs: row.connectMs, name: 'first-packet' }]),
    ...(row.firstFrameMs === undefined ? [] : [{ atMs: row.firstFrameMs, name: 'first-frame' }]),
  ];
}

export interface LayerRow {
  readonly size: string;
  /** Time for which it was received, and its share of that of all layers. */
  readonly time: string;
  readonly isCurrent: boolean;
}

/** The layers of a simulcast or scalable video that a viewer has received, from the largest. */
export function layerRows({ layers = [], width, height }: NonNullable<ViewerDetail['streams']>[number]): LayerRow[] {
  const totalMs = layers.reduce((total, { ms }) => total + ms, 0);
  return [...layers]
    .sort((a, b) => b.width * b.height - a.width * a.height)
    .map((layer) => ({
      size: `${layer.width}×${layer.height}`,
      time: `${sinceText(layer.ms)}${totalMs > 0 ? `, ${formatFigure((100 * layer.ms) / totalMs, 'tenths')} %` : ''}`,
      isCurrent: layer.width === width && layer.height === height,
    }));
}

/** `192.0.2.1:8000, host` for each end. */
export function routeRows(route: ViewerRoute): ReadonlyArray<{ readonly name: string; readonly text: string }> {
  const end = (address: string | undefined, type: string | undefined): string =>
    [address, type].filter(Boolean).join(', ') || '–';
  return [
    { name: 'Protocol', text: route.protocol.toUpperCase() },
    { name: 'Local', text: end(route.local, route.localType) },
    { name: 'Remote', text: end(route.remote, route.remoteType) },
    ...(route.relay ? [{ name: 'TURN server', text: route.relay }] : []),
  ];
}

const counterTitles: Readonly<Record<string, string>> = {
  damagedPackets: 'Packets not decrypted',
  unknownPackets: 'Packets of unknown payload type',
  droppedHere: 'Packets dropped at this tester',
  rebufferings: 'Rebufferings of any length',
  brokenFrames: 'Incomplete frames',
  lostBytes: 'Bytes that are no packets of MPEG-TS',
  skippedMessages: 'Messages of unknown kind',
  unauthenticStun: 'STUN messages not authentic',
};

const delayMethodNames: Readonly<Record<DelayMethod, string>> = {
  'sender-report': 'sender reports',
  'capture-time': 'capture time',
};

/** `One-way delay, sender reports`. */
function delayTitle(method: string | undefined): string {
  const name =
    method !== undefined && Object.hasOwn(delayMethodNames, method) && delayMethodNames[method as DelayMethod];
  return name ? `One-way delay, ${name}` : 'One-way delay';
}

/** Counters of the row, then those that only the details have. */
export function counterRows(
  row: ViewerRow,
  detail: ViewerDetail | undefined,
): ReadonlyArray<{ readonly name: string; readonly figure: Figure }> {
  const ms = (value: number | undefined): Figure =>
    value === undefined || value < 1000 ? figure(value, 'ms', 0) : figure(value / 1000, 's', 1);
  return [
    { name: 'Packets', figure: figure(row.packets, '', 0) },
    { name: 'Received', figure: bytesFigure(row.bytes) },
    { name: 'Packets lost', figure: figure(row.lossPercent === undefined ? undefined : row.lost, '', 0) },
    { name: 'Frames', figure: figure(row.frames, '', 0) },
    { name: 'Stalls', figure: figure(row.stalls, '', 0) },
    { name: 'Stalled', figure: ms(row.stalledMs) },
    { name: 'Freezes (W3C)', figure: figure(row.freezeCount, '', 0) },
    { name: 'Freeze time (W3C)', figure: ms(row.freezeDurationMs) },
    { name: 'Degraded', figure: ms(row.degradedMs ?? 0) },
    { name: 'Round trip', figure: figure(row.roundTripMs, 'ms', 1) },
    { name: delayTitle(row.delayMethod), figure: figure(row.delayMs, 'ms', 1) },
    ...Object.entries(detail?.counters ?? {}).map(([name, value]) => ({
      name: counterTitles[name] ?? name,
      figure: { text: grouped(value), unit: '' },
    })),
  ];
}

/** An SSRC as tools write it. */
export function ssrcText(ssrc: number | undefined): string {
  return ssrc ? `0x${ssrc.toString(16).padStart(8, '0')}` : '–';
}
