import type { StreamFault } from '../node/streamCheck';
import { seriesDefinition, type SeriesId } from '../series/series';
import { describeAmount } from '../series/seriesAmount';
import { formatCount, formatRounded } from '../text/numberFormat';
import { formatDuration } from '../text/timeFormat';
import { lengthMs, listed, type Incident } from './incident';
import type { Level } from './rules';

/** What happened, on which node, with its numbers. */

const lasted = (incident: Incident): string => {
  const length = formatDuration(lengthMs(incident, incident.lastMs));
  return incident.count > 1 ? `${formatCount(incident.count)} times within ${length}` : `for ${length}`;
};

/** What a limit is of: a series, or the share of the memory that is used. */
type Measured = SeriesId | 'memory';

const titleOf = (what: Measured): string => (what === 'memory' ? 'Memory' : (seriesDefinition(what)?.title ?? what));
const amount = (what: Measured, value: number): string =>
  what === 'memory' ? `${formatRounded(value)} %` : describeAmount(what, value);

export const levelBegan =
  (what: Measured, { limit, isUpper, forMs }: Level, value: number) =>
  (nodes: readonly string[]): string =>
    `${titleOf(what)} of ${listed(nodes)} is ${isUpper ? 'above' : 'below'} ${amount(what, limit)}` +
    `${forMs > 0 ? ` for ${formatDuration(forMs)}` : ''}: ${amount(what, value)}.`;

export const levelEnded =
  (what: Measured, { limit, isUpper }: Level) =>
  (incident: Incident): string => {
    const { worst, nodes } = incident;
    const extreme = worst === undefined ? '' : `; ${isUpper ? 'peak' : 'minimum'} ${amount(what, worst)}`;
    return `${titleOf(what)} of ${listed(nodes)} was ${isUpper ? 'above' : 'below'} ${amount(what, limit)} ${lasted(incident)}${extreme}.`;
  };

/** What runs out by its trend. */
export type Resource = 'Memory' | 'Disk';

export const trendBegan =
  (what: Resource, leftMs: number) =>
  (nodes: readonly string[]): string =>
    `${what} of ${listed(nodes)} is used up in ${formatDuration(Math.max(0, leftMs))}, by its trend of the last 10 minutes.`;

export const trendEnded =
  (what: Resource) =>
  (incident: Incident): string =>
    `${what} of ${listed(incident.nodes)} was running out ${lasted(incident)}.`;

/** Why a node does not respond, within a sentence that names it. */
export function reasonOf(id: string, problem: string | undefined): string {
  // How long it has been silent is the length of the incident.
  if (problem === undefined || problem.startsWith(`${id} has not responded for`)) return 'no response';
  return problem.replace(`${id}: `, '').replace(/\.$/, '');
}

export const lostBegan =
  (reason: string, isFirst: boolean) =>
  (nodes: readonly string[]): string =>
    isFirst
      ? `${listed(nodes)} can't be reached since the console started: ${reason}.`
      : `${listed(nodes)} stopped responding: ${reason}.`;

export const lostEnded = (incident: Incident): string =>
  `${listed(incident.nodes)} did not respond ${lasted(incident)}.`;

export const restarted =
  (before: number, now: number) =>
  (nodes: readonly string[]): string =>
    nodes.length > 1
      ? `The servers of ${listed(nodes)} were restarted.`
      : `The server of ${listed(nodes)} was restarted: process ${before} is now ${now}.`;

export const rebooted = (nodes: readonly string[]): string => `The host of ${listed(nodes)} was rebooted.`;

export const versionChanged =
  (before: string, now: string) =>
  (nodes: readonly string[]): string =>
    `The version of ${listed(nodes)} changed from ${before} to ${now}.`;

export const paused =
  (pauseMs: number) =>
  (nodes: readonly string[]): string =>
    `${listed(nodes)} paused for ${formatRounded(Math.round(pauseMs))} ms of garbage collection.`;

export const stepped =
  (stepMs: number) =>
  (nodes: readonly string[]): string =>
    `The clock of ${listed(nodes)} was set ${stepMs < 0 ? 'back' : 'forward'} by ${formatDuration(Math.abs(stepMs))}.`;

export const expires =
  (leftMs: number) =>
  (nodes: readonly string[]): string =>
    leftMs <= 0
      ? `The certificate of ${listed(nodes)} has expired.`
      : `The certificate of ${listed(nodes)} expires in ${daysOf(leftMs)}.`;

const daysOf = (ms: number): string => {
  const days = Math.floor(ms / 86_400_000);
  return days === 0 ? formatDuration(ms) : `${days} ${days === 1 ? 'day' : 'days'}`;
};

export const publisherGone =
  (node: string) =>
  (streams: readonly string[]): string =>
    streams.length === 1
      ? `The stream ${listed(streams)} of ${node} has no publisher.`
      : `${streams.length} streams of ${node} have no publisher: ${listed(streams)}.`;

export const publisherBack = (incident: Incident): string =>
  incident.subjects.length === 1
    ? `The stream ${listed(incident.subjects)} of ${incident.node} was without a publisher ${lasted(incident)}.`
    : `${incident.subjects.length} streams of ${incident.node} were without a publisher ${lasted(incident)}.`;

export const publisherBackAgain = (incident: Incident): string =>
  incident.subjects.length === 1
    ? `The stream ${listed(incident.subjects)} of ${incident.node} has a publisher again.`
    : `${incident.subjects.length} streams of ${incident.node} have a publisher again.`;

export const streamAppeared =
  (node: string) =>
  (streams: readonly string[]): string =>
    streams.length === 1
      ? `A new stream on ${node}: ${listed(streams)}.`
      : `${streams.length} new streams on ${node}: ${listed(streams)}.`;

const findings: Readonly<Record<StreamFault, string>> = {
  ...{ black: 'is black', green: 'is green in large areas', uniform: 'is of a single colour' },
  ...{ 'no picture': 'has no picture', frozen: 'is frozen', silent: 'is silent' },
};

export const pictureFound =
  (node: string, finding: StreamFault) =>
  (streams: readonly string[]): string =>
    streams.length === 1
      ? `The stream ${listed(streams)} of ${node} ${findings[finding]} in the control player.`
      : `${streams.length} streams of ${node} have a fault in the control player: ${listed(streams)}.`;

export const pictureFine = (incident: Incident): string =>
  incident.subjects.length === 1
    ? `The stream ${listed(incident.subjects)} of ${incident.node} is fine again in the control player.`
    : `${incident.subjects.length} streams of ${incident.node} are fine again in the control player.`;

export const notPlayed = (): string => 'Not played in the control player for a day.';

export const renewed = (incident: Incident): string => `The certificate of ${listed(incident.nodes)} was renewed.`;
export const removed = (): string => 'The node was removed.';
export const switchedOff = (): string => 'The rule was switched off or changed.';
export const notExpected = (): string => 'Acknowledged: the stream is not expected back.';
export const forgotten = (): string => 'Not published for a day: the stream is not expected back.';
export const changed = (): string => 'The settings of the node were changed.';
export const stopped = (incident: Incident): string => `${listed(incident.nodes)} was stopped.`;
