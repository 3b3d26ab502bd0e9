import { asSentence } from '../../../domain/text/sentence';
import { grouped } from '../../ui/format/numbers';
import { isTesterFailure, testerFailures } from './testerLimit';
import { failureStages, type FailureGroup, type FailureStage } from '../../../domain/model/run';

/** Stage names, short enough for a row of ten. */
export const stageNames: Readonly<Record<FailureStage, string>> = {
  name: 'name',
  tcp: 'TCP',
  tls: 'TLS',
  signalling: 'signalling',
  turn: 'TURN',
  ice: 'ICE',
  dtls: 'DTLS',
  'first-packet': 'packet',
  'first-frame': 'frame',
  media: 'media',
};

const causes: Readonly<Record<string, string>> = {
  'tcp refused': 'The server refused the connection',
  'tcp timeout': 'TCP connect timed out',
  'signalling refused': 'The server refused the connection',
  'signalling timeout': 'Signalling request timed out',
  'signalling no-codec': 'No common video codec',
  'turn timeout': 'The TURN server did not respond in time',
  'turn refused': 'The port of the TURN server is closed',
  'turn turn-401': 'The TURN server refused the credentials',
  'turn turn-403': 'The TURN server does not allow the peer',
  'turn turn-437': 'The TURN server has another allocation of this address',
  'turn turn-438': 'The nonces of the TURN server expire too fast',
  'turn turn-486': 'The quota of the TURN server is used up',
  'turn turn-508': 'The TURN server has no port or bandwidth left',
  'turn no-server': 'The origin lists no TURN server',
  'ice timeout': 'No candidate pair responded in time',
  'dtls timeout': 'DTLS handshake timed out',
  'dtls fingerprint': 'The certificate does not match the SDP answer',
  'first-packet silent': 'Connected, but no media received',
  'first-packet timeout': 'Connected, but no media received in time',
  'first-frame timeout': 'Media received, but no complete frame in time',
  'media silent': 'Media stopped during playback',
};

/** Exhausted resources of a tester, at whatever stage. */
const testersOwn: Readonly<Record<string, string>> = {
  'tester-open-files': 'The tester ran out of open files',
  'tester-ports': 'The tester ran out of local ports',
  'tester-memory': 'The tester ran out of memory',
};

/** Short description of a failure; unknown causes are shown as is. */
export function failureTitle(group: Pick<FailureGroup, 'stage' | 'cause'>): string {
  const http = /^http-(\d{3})$/.exec(group.cause);
  if (http) return `The server responded HTTP ${http[1]}`;
  if (isTesterFailure(group))
    return testersOwn[group.cause] ?? `Tester failure: ${group.cause.slice('tester-'.length).replaceAll('-', ' ')}`;
  const cause = group.cause.replaceAll('-', ' ');
  return causes[`${group.stage} ${group.cause}`] ?? asSentence(cause);
}

export interface StageCount {
  readonly stage: FailureStage;
  readonly count: number;
}

/** All stages in order, including those without failures. Tester failures belong to no stage. */
export function countsByStage(groups: readonly FailureGroup[]): readonly StageCount[] {
  return failureStages.map((stage) => ({
    stage,
    count: groups
      .filter((group) => group.stage === stage && !isTesterFailure(group))
      .reduce((sum, group) => sum + group.count, 0),
  }));
}

/** `ICE 3`, `packet 1`, preceded by `tester 5`, or `none`; most failures first. */
export function failureSummary(groups: readonly FailureGroup[]): readonly string[] {
  const counts = countsByStage(groups)
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const own = testerFailures(groups);
  const parts = [
    ...(own > 0 ? [`tester ${grouped(own)}`] : []),
    ...counts.map(({ stage, count }) => `${stageNames[stage]} ${grouped(count)}`),
  ];
  return parts.length > 0 ? parts : ['none'];
}

/** Most frequent first. */
export function byCount(groups: readonly FailureGroup[]): readonly FailureGroup[] {
  return [...groups].sort((a, b) => b.count - a.count);
}

/** As text, to paste into a report. */
export function failuresAsText(groups: readonly FailureGroup[]): string {
  return byCount(groups)
    .map(
      (group) =>
        `${group.count} x ${stageNames[group.stage]}${isTesterFailure(group) ? ', on the tester' : ''}: ${failureTitle(group)} (${group.cause}), on ${group.tester}${group.audience === undefined ? '' : `, ${group.audience}`}. ` +
        `For example viewer ${group.example.viewer} at ${new Date(group.example.timeMs).toISOString()}: ${group.example.detail}`,
    )
    .join('\n');
}
