import { FullhouseError } from '../../../contract/calls';
import type { HttpResponse, HttpLink } from '../../links/http/httpLink';
import { detectFormat } from './statistics/detectFormat';
import { statisticsFormats, type StatisticsFormat, type WcsStatistics } from './statistics/statistics';
import type { CallOptions } from './wcsCalls';

export interface StatisticsOptions extends CallOptions {
  /** Only these, e.g. `port_stats`; the text format always has all. */
  readonly groups?: readonly string[];
}

const maxBytes = 4_000_000;

/** Reads the statistics page: JSON first, then the other formats; one that worked is kept. */
export function statisticsReader(
  http: HttpLink,
  who: string,
  base: string,
): (options?: StatisticsOptions) => Promise<WcsStatistics> {
  let savedFormat: StatisticsFormat | undefined;
  return async ({ groups, ...options } = {}) => {
    let problem: FullhouseError | undefined;
    for (const format of savedFormat ? [savedFormat] : statisticsFormats) {
      const answer = await http.request({ url: addressOf(base, format, groups), ...options, maxBytes });
      const statistics = answer.status === 200 ? detectFormat(answer.body) : undefined;
      if (statistics && statistics.numbers.size > 0) {
        savedFormat = statistics.format;
        return statistics;
      }
      problem ??= problemOf(who, base, answer);
      // Another format would not help on a page that is not a WCS's, or with an incomplete response.
      if (/^\s*[<{]/.test(answer.body)) break;
    }
    // The server may have been replaced by another version.
    savedFormat = undefined;
    throw problem ?? new FullhouseError('not-statistics', `${who}: its statistics can't be read.`);
  };
}

function addressOf(base: string, format: StatisticsFormat, groups: readonly string[] | undefined): string {
  const wanted = format === 'text' ? '' : `&format=${format}`;
  return `${base}/?action=stat${wanted}${groups && wanted ? `&groups=${groups.join(',')}` : ''}`;
}

function problemOf(who: string, base: string, { status, body }: HttpResponse): FullhouseError {
  const where = `${base}/?action=stat`;
  if (status !== 200)
    return new FullhouseError(
      `http-${status}`,
      `${who}: ${where} returned HTTP ${status}; check the address. A WCS usually has it on port 8081.`,
    );
  const what = body.trim() === '' ? 'an empty response' : shapeOf(body);
  return new FullhouseError(
    'not-statistics',
    `${who}: ${where} returned ${what} instead of WCS statistics; check the address, usually port 8081.`,
  );
}

function shapeOf(body: string): string {
  if (/^\s*</.test(body)) return 'a web page';
  return /^\s*\{/.test(body) ? 'incomplete or empty JSON' : 'an unreadable response';
}
