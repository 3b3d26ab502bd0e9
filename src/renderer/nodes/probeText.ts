import type { NodeCapabilities } from '../../domain/node';
import type { ProbeRow, ProbeView } from '../../domain/probe';
import { formatFigure } from '../../domain/numberFormat';
import { protocolNames } from './protocolNames';

/** How long a finding took, or how far it is. */
export function tookText(row: ProbeRow): string {
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

/** What one expects to be measured; a word of these that is missing is said, others are not missed. */
const hostWords = ['CPU', 'memory', 'network'];
const serverWords = ['streams', 'GC'];

/** What can be done with what was found, as chips. */
export function canGroups(can: NodeCapabilities, hasServer: boolean): readonly CanGroup[] {
  const there = (protocols: readonly (keyof typeof protocolNames)[]): CanChip[] =>
    protocols.map((protocol) => ({ text: protocolNames[protocol], isAbsent: false }));
  const onlyServed = can.serves
    .filter((protocol) => !can.pull.includes(protocol))
    .map((protocol) => ({
      text: protocolNames[protocol],
      isAbsent: true,
      title: 'It is served, but no tester of this version plays it.',
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
        ...missed.map((text) => ({ text, isAbsent: true, title: 'Nothing was found that measures it.' })),
      ],
    },
  ];
}

/** The rows, without the long sentence about a host key: the question beside them says it all. */
export function shownRows(probe: ProbeView): readonly ProbeRow[] {
  if (!probe.hostKey) return probe.rows;
  return probe.rows.map((row) =>
    row.id === 'ssh' && row.state === 'failed'
      ? { ...row, found: 'waits for your word on its host key', detail: undefined }
      : row,
  );
}

/** `probing, 2.1 s` while it looks, then how long it took. */
export function progressText(probe: ProbeView, nowMs: number): string {
  const seconds = formatFigure(Math.max(0, nowMs - probe.startedMs) / 1000, 'tenths');
  return probe.isDone ? 'done' : `probing, ${seconds} s`;
}

const needLabels: Readonly<Record<ProbeView['needs'][number]['kind'], string>> = {
  sshPassword: 'SSH password',
  sshPassphrase: 'Passphrase of the key',
  httpPassword: 'Password',
  apiSecret: 'API secret',
  user: 'User',
  apiKey: 'API key',
};

export function needLabel(kind: ProbeView['needs'][number]['kind']): string {
  return needLabels[kind];
}

export function isSecretKind(
  kind: ProbeView['needs'][number]['kind'],
): kind is Exclude<ProbeView['needs'][number]['kind'], 'user' | 'apiKey'> {
  return kind !== 'user' && kind !== 'apiKey';
}
