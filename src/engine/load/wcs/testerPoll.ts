import { FullhouseError } from '../../../contract/calls';
import { listIntervalMs, PublishedStreams } from '../../servers/wcs/publishedStreams';
import type { WcsPull, WcsStream } from '../../servers/wcs/restSchemas';
import type { WcsStatistics } from '../../servers/wcs/statistics/statistics';
import type { WcsRest } from '../../servers/wcs/wcsRest';

/** A tester's pulls at one time. */
export interface TesterLists {
  /** Our time before the request: later orders may be missing here. */
  readonly requestedMs: number;
  /** By local name. */
  readonly pulls: ReadonlyMap<string, WcsPull>;
  /** The pulled streams that were asked for, by name. */
  readonly streams: ReadonlyMap<string, WcsStream>;
  /** The names that were asked for; absent if all were. */
  readonly asked?: ReadonlySet<string>;
  /** False where this version reports no metrics of streams. */
  readonly hasMetrics: boolean;
  /** Absent when only these could not be read. */
  readonly statistics?: WcsStatistics;
}

/** The pulls that a poll is about, by local name. */
export interface WantedPulls {
  /** Some of the pulls are over RTMP, which a WCS lists separately. */
  readonly byRtmp: boolean;
  /** No media yet. */
  readonly connecting: readonly string[];
  /** With media, or being ended. */
  readonly others: readonly string[];
}

/** The other groups may be long: one has the details of every stream. */
const neededGroups = ['port_stats', 'degraded_streams_stats'];
/** More single requests would cost the tester more than its list. */
const maxSingle = 20;
const singleAtOnce = 4;

/** Polls the pulls of a tester: cheap lists each second, the list of streams as often as its size permits. */
export class TesterPoll {
  private readonly published: PublishedStreams;
  private nextListMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly rest: WcsRest,
    private readonly now: () => number,
  ) {
    this.published = new PublishedStreams(rest);
  }

  /** Rejects when the lists can't be read. */
  async look({ byRtmp, connecting, others }: WantedPulls): Promise<TesterLists> {
    const requestedMs = this.now();
    const [found, rtmpPulls, statistics] = await Promise.all([
      this.rest.pull.findAll(),
      byRtmp ? this.rest.rtmpPull.findAll().catch(noList) : [],
      this.rest.statistics({ groups: neededGroups }).catch(() => undefined),
    ]);
    const pulls = byName([...rtmpPulls, ...found], ({ localStreamName }) => localStreamName);
    // Between two lists of all streams, only those that start or have just ended.
    const changing = new Set([...connecting, ...others.filter((name) => !pulls.has(name))]);
    const isDue = requestedMs >= this.nextListMs || changing.size > maxSingle || !this.published.filtersNames;
    const streams = isDue ? await this.all(requestedMs) : await this.each([...changing]);
    return {
      requestedMs,
      pulls,
      streams: byName(streams, ({ name }) => name),
      ...(isDue ? {} : { asked: changing }),
      hasMetrics: this.published.hasMetrics,
      statistics,
    };
  }

  private async all(requestedMs: number): Promise<readonly WcsStream[]> {
    const streams = await this.published.list();
    this.nextListMs = requestedMs + listIntervalMs(streams);
    return streams;
  }

  private async each(names: readonly string[]): Promise<readonly WcsStream[]> {
    const waiting = [...names];
    const streams: WcsStream[] = [];
    const next = async (): Promise<void> => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        streams.push(...(await this.published.list(name)));
    };
    await Promise.all(Array.from({ length: singleAtOnce }, next));
    return streams;
  }
}

/**
 * Some builds return 500 for an empty list of RTMP pulls. Builds without that list return 404, which may come with a web
 * page; they list all pulls in `/pull/find_all`.
 */
function noList(error: unknown): WcsPull[] {
  if (error instanceof FullhouseError && ['http-500', 'http-404'].includes(error.code)) return [];
  throw error;
}

function byName<T>(entries: readonly T[], nameOf: (entry: T) => string | undefined): Map<string, T> {
  const named = new Map<string, T>();
  for (const entry of entries) {
    const name = nameOf(entry);
    if (name !== undefined) named.set(name, entry);
  }
  return named;
}
