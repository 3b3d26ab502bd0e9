import { FullhouseError } from '../../../contract/calls';
import { PublishedStreams } from '../../servers/wcs/publishedStreams';
import type { WcsPull, WcsStream } from '../../servers/wcs/restSchemas';
import type { WcsStatistics } from '../../servers/wcs/statistics/statistics';
import type { WcsRest } from '../../servers/wcs/wcsRest';

/** A tester's pulls at one time. */
export interface TesterLists {
  /** Our time before the request: later orders may be missing here. */
  readonly requestedMs: number;
  /** By local name. */
  readonly pulls: ReadonlyMap<string, WcsPull>;
  /** The pulled streams, by name. */
  readonly streams: ReadonlyMap<string, WcsStream>;
  /** False where this version reports no metrics of streams. */
  readonly hasMetrics: boolean;
  /** Absent when only these could not be read. */
  readonly statistics?: WcsStatistics;
}

/** The other groups may be long: one has the details of every stream. */
const neededGroups = ['port_stats', 'degraded_streams_stats'];

/** Requests all pulls of a tester at once, however many they are. */
export class TesterPoll {
  private readonly published: PublishedStreams;

  constructor(
    private readonly rest: WcsRest,
    private readonly now: () => number,
  ) {
    this.published = new PublishedStreams(rest);
  }

  /** Rejects when the lists can't be read. `byRtmp`: some of the pulls are over RTMP, which a WCS lists separately. */
  async look(byRtmp: boolean): Promise<TesterLists> {
    const requestedMs = this.now();
    const [pulls, rtmpPulls, streams, statistics] = await Promise.all([
      this.rest.pull.findAll(),
      byRtmp ? this.rest.rtmpPull.findAll().catch(noList) : [],
      this.published.list(),
      this.rest.statistics({ groups: neededGroups }).catch(() => undefined),
    ]);
    return {
      requestedMs,
      pulls: byName([...rtmpPulls, ...pulls], ({ localStreamName }) => localStreamName),
      streams: byName(streams, ({ name }) => name),
      hasMetrics: this.published.hasMetrics,
      statistics,
    };
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
