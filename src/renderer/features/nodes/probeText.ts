import type { NodeCapabilities } from '../../../domain/model/node';
import type { ProbeRow, ProbeView } from '../../../domain/model/probe';
import { formatFigure } from '../../../domain/text/numberFormat';
import { protocolNames } from '../../../domain/model/protocols';

/** Duration of a finding, or its progress. */
export function durationText(row: ProbeRow): string {
  if (row.progress) return row.progress;
  if (row.tookMs === undefined) return '';
  if (row.tookMs >= 1000) return `${formatFigure(row.tookMs / 1000, 'tenths')} s`;
  return `${formatFigure(row.tookMs, row.tookMs < 0.95 ? 'tenths' : 'integer')} ms`;
}

export interface CanChip {
  readonly text: string;
  readonly isAbsent: boolean;
  readonly title?: string;
}
export interface CanGroup {
  readonly label: string;
  readonly chips: readonly CanChip[];
}

/** Expected metrics; only these are listed as missing. */
const hostWords = ['CPU', 'memory', 'network'];
const serverWords = ['streams', 'GC'];

/** Capabilities of the findings, as chips. */
export function canGroups(can: NodeCapabilities, hasServer: boolean): readonly CanGroup[] {
  const there = (protocols: readonly (keyof typeof protocolNames)[]): CanChip[] =>
    protocols.map((protocol) => ({ text: protocolNames[protocol], isAbsent: false }));
  const onlyServed = can.serves
    .filter((protocol) => !can.pull.includes(protocol))
    .map((protocol) => ({
      text: protocolNames[protocol],
      isAbsent: true,
      title: 'Served, but not supported by testers of this version.',
    }));
  const expected = [...hostWords, ...(hasServer ? serverWords : [])];
  const missed = can.measure.length > 0 ? expected.filter((word) => !can.measure.includes(word)) : [];
  return [
    { label: 'Publish', chips: there(can.publish) },
    { label: 'Pull', chips: [...there(can.pull), ...onlyServed] },
    { label: 'Play', chips: there(can.play) },
    {
      label: 'Measure',
      chips: [
        ...can.measure.map((text) => ({ text, isAbsent: false })),
        ...missed.map((text) => ({ text, isAbsent: true, title: 'No data source found.' })),
      ],
    },
  ];
}

/** The rows, without the sentence about a host key: it is in the question beside them. */
export function shownRows(probe: ProbeView): readonly ProbeRow[] {
  if (!probe.hostKey) return probe.rows;
  return probe.rows.map((row) =>
    row.id === 'ssh' && row.state === 'failed' ? { ...row, found: 'host key not confirmed', detail: undefined } : row,
  );
}

/** `probing, 2.1 s` while active, then the duration. */
export function progressText(probe: ProbeView, nowMs: number): string {
  const seconds = formatFigure(Math.max(0, nowMs - probe.startedMs) / 1000, 'tenths');
  return probe.isDone ? 'done' : `probing, ${seconds} s`;
}

export function isSecretKind(
  kind: ProbeView['needs'][number]['kind'],
): kind is Exclude<ProbeView['needs'][number]['kind'], 'user' | 'apiKey'> {
  return kind !== 'user' && kind !== 'apiKey';
}
