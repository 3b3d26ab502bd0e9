import { asSentence } from '../../domain/sentence';
import { grouped } from '../format/numbers';
import { isTestersOwn, ownFailures } from '../limited/limited';
import { failureStages, type FailureGroup, type FailureStage } from '../../domain/run';

/** Stages by the words of the field, short enough for a row of nine. */
export const stageNames: Readonly<Record<FailureStage, string>> = {
  name: 'name',
  tcp: 'TCP',
  tls: 'TLS',
  signalling: 'signalling',
  ice: 'ICE',
  dtls: 'DTLS',
  'first-packet': 'packet',
  'first-frame': 'frame',
  media: 'media',
};

const causes: Readonly<Record<string, string>> = {
  'tcp refused': 'The server refused the connection',
  'tcp timeout': 'The server did not answer the connection in time',
  'signalling refused': 'The server refused the connection',
  'signalling timeout': 'The server did not answer the request in time',
  'signalling no-h264': 'The answer offers no H.264',
  'ice timeout': 'No candidate pair answered in time',
  'dtls timeout': 'The DTLS handshake was not finished in time',
  'dtls fingerprint': 'The certificate is not the one of the answer',
  'first-packet silent': 'Connected, but no media came',
  'first-packet timeout': 'Connected, but no media came in time',
  'first-frame timeout': 'Media came, but no complete frame in time',
  'media silent': 'Media stopped while watching',
};

/** What a tester had nothing left of, whatever the stage at which it showed. */
const testersOwn: Readonly<Record<string, string>> = {
  'tester-open-files': 'The tester had no open file left',
  'tester-ports': 'The tester had no port left',
  'tester-memory': 'The tester had no memory left',
};

/** What went wrong, in a few words; causes that nobody named yet show as they are. */
export function failureTitle(group: Pick<FailureGroup, 'stage' | 'cause'>): string {
  const http = /^http-(\d{3})$/.exec(group.cause);
  if (http) return `The server answered ${http[1]}`;
  if (isTestersOwn(group))
    return (
      testersOwn[group.cause] ??
      `The tester itself: ${group.cause.slice('tester-'.length).replaceAll('-', ' ')}`
    );
  const cause = group.cause.replaceAll('-', ' ');
  return causes[`${group.stage} ${group.cause}`] ?? asSentence(cause);
}

export interface StageCount {
  readonly stage: FailureStage;
  readonly count: number;
}

/** All stages in their order, those without a failure included; what is the tester's own is no stage's. */
export function countsByStage(groups: readonly FailureGroup[]): readonly StageCount[] {
  return failureStages.map((stage) => ({
    stage,
    count: groups
      .filter((group) => group.stage === stage && !isTestersOwn(group))
      .reduce((sum, group) => sum + group.count, 0),
  }));
}

/** `ICE 3`, `packet 1`, with `tester's own 5` before them, or `none`; most failures first. */
export function failureSummary(groups: readonly FailureGroup[]): readonly string[] {
  const counts = countsByStage(groups)
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const own = ownFailures(groups);
  const parts = [
    ...(own > 0 ? [`tester's own ${grouped(own)}`] : []),
    ...counts.map(({ stage, count }) => `${stageNames[stage]} ${grouped(count)}`),
  ];
  return parts.length > 0 ? parts : ['none'];
}

/** Largest first. */
export function byCount(groups: readonly FailureGroup[]): readonly FailureGroup[] {
  return [...groups].sort((a, b) => b.count - a.count);
}

/** The same as text, to paste into a report. */
export function failuresAsText(groups: readonly FailureGroup[]): string {
  return byCount(groups)
    .map(
      (group) =>
        `${group.count} x ${stageNames[group.stage]}${isTestersOwn(group) ? ", the tester's own" : ''}: ${failureTitle(group)} (${group.cause}), on ${group.tester}. ` +
        `For example viewer ${group.example.viewer} at ${new Date(group.example.timeMs).toISOString()}: ${group.example.detail}`,
    )
    .join('\n');
}
