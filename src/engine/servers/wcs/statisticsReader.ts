import { FullhouseError } from '../../../contract/calls';
import type { HttpAnswer, HttpLink } from '../../links/http/httpLink';
import { anyForm } from './statistics/anyForm';
import { statisticsFormats, type StatisticsFormat, type WcsStatistics } from './statistics/statistics';
import type { CallOptions } from './wcsCalls';

export interface StatisticsOptions extends CallOptions {
  /** Only these, e.g. `port_stats`; the text form always brings all. */
  readonly groups?: readonly string[];
}

const mostBytes = 4_000_000;

/** Reads the statistics page: as JSON first, then in the other forms; one that answered is kept. */
export function statisticsReader(
  http: HttpLink,
  who: string,
  base: string,
): (options?: StatisticsOptions) => Promise<WcsStatistics> {
  let kept: StatisticsFormat | undefined;
  return async ({ groups, ...options } = {}) => {
    let problem: FullhouseError | undefined;
    for (const format of kept ? [kept] : statisticsFormats) {
      const answer = await http.request({ url: addressOf(base, format, groups), ...options, mostBytes });
      const statistics = answer.status === 200 ? anyForm(answer.body) : undefined;
      if (statistics && statistics.numbers.size > 0) {
        kept = statistics.format;
        return statistics;
      }
      problem ??= problemOf(who, base, answer);
      // Another form of a page that is none of a WCS, or of an answer that was cut off, would say no more and maybe less.
      if (/^\s*[<{]/.test(answer.body)) break;
    }
    // The server may have been replaced by another version.
    kept = undefined;
    throw problem ?? new FullhouseError('not-statistics', `${who}: its statistics can't be read.`);
  };
}

function addressOf(base: string, format: StatisticsFormat, groups: readonly string[] | undefined): string {
  const wanted = format === 'text' ? '' : `&format=${format}`;
  return `${base}/?action=stat${wanted}${groups && wanted ? `&groups=${groups.join(',')}` : ''}`;
}

function problemOf(who: string, base: string, { status, body }: HttpAnswer): FullhouseError {
  const where = `${base}/?action=stat`;
  if (status !== 200)
    return new FullhouseError(
      `http-${status}`,
      `${who}: ${where} answers HTTP ${status}; check the address, a WCS has it on port 8081 usually.`,
    );
  const what = body.trim() === '' ? 'nothing' : shapeOf(body);
  return new FullhouseError(
    'not-statistics',
    `${who}: ${where} answers with ${what} where the statistics of a WCS are expected; check the address, usually port 8081.`,
  );
}

function shapeOf(body: string): string {
  if (/^\s*</.test(body)) return 'a web page';
  return /^\s*\{/.test(body) ? 'a JSON that is cut off or says nothing' : 'something unreadable';
}
