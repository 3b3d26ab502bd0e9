import type { ServerIdentity } from '../adapter';
import type { WcsStream } from './restSchemas';
import type { WcsStatistics } from './statistics/statistics';

/** First build that reports metrics of streams. */
const metricsSince = '5.2.923';
const oldestApi = '5.2';

/**
 * Version and remarks of a WCS. Its version is not a documented parameter: it is shown where one of the statistics
 * contains it.
 */
export function identityOf(
  who: string,
  statistics: WcsStatistics,
  published: readonly WcsStream[],
  knowsDisplay: boolean,
): ServerIdentity {
  const version = versionOf(statistics);
  const withoutMetrics =
    !knowsDisplay || (published.length > 0 && published.every(({ metrics }) => metrics === undefined));
  let tooOld: string | undefined;
  if (version && isOlder(version, oldestApi))
    tooOld = `${who} runs WCS ${version}, which is too old for this console: it needs ${oldestApi} or newer, and ${metricsSince} for the figures of single streams.`;
  else if (withoutMetrics || (version && isOlder(version, metricsSince)))
    tooOld = `${who}${version ? ` runs WCS ${version} and` : ''} does not report bitrate and frame rate of its streams; WCS ${metricsSince} or newer does.`;
  const remarks = tooOld === undefined ? [] : [tooOld];
  if (statistics.format === 'text')
    remarks.push(`${who} serves its statistics as plain text only, like older builds; they are read completely.`);
  return { software: version ? `WCS ${version}` : 'WCS', remarks, tooOld, process: 'java' };
}

export function versionOf({ texts }: WcsStatistics): string | undefined {
  for (const [name, value] of texts) {
    // `core_java_version` is Java's.
    if (!/(^|_)(version|build)$/i.test(name) || /java|jvm|os/i.test(name)) continue;
    const found = /\d+\.\d+(?:\.\d+)*/.exec(value)?.[0];
    if (found) return found;
  }
  return undefined;
}

/** Compares versions number by number; a missing number counts as 0. */
export function isOlder(version: string, than: string): boolean {
  const ours = version.split('.').map(Number);
  const theirs = than.split('.').map(Number);
  for (let index = 0; index < Math.max(ours.length, theirs.length); index += 1) {
    const difference = (ours[index] ?? 0) - (theirs[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
