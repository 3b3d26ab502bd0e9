import { FullhouseError } from '../../../contract/calls';
import { PublishedStreams } from '../../servers/wcs/publishedStreams';
import type { WcsPull, WcsStream } from '../../servers/wcs/restSchemas';
import type { WcsStatistics } from '../../servers/wcs/statistics/statistics';
import type { WcsRest } from '../../servers/wcs/wcsRest';

/** What a tester says of its pulls at one moment. */
export interface TesterSeen {
  /** Our time before it was asked: what it took later is not in here for sure. */
  readonly askedMs: number;
  /** By local name. */
  readonly pulls: ReadonlyMap<string, WcsPull>;
  /** The streams that the pulls bring, by name. */
  readonly streams: ReadonlyMap<string, WcsStream>;
  /** False where this version tells no metrics of streams. */
  readonly hasMetrics: boolean;
  /** Absent when only they could not be had. */
  readonly statistics?: WcsStatistics;
}

/** Asks a tester for all of its pulls at once, however many they are. */
export class TesterLook {
  private readonly published: PublishedStreams;

  constructor(
    private readonly rest: WcsRest,
    private readonly now: () => number,
  ) {
    this.published = new PublishedStreams(rest);
  }

  /** Rejects when the lists can't be had. `byRtmp`: some of the pulls are by RTMP, which a WCS lists apart. */
  async look(byRtmp: boolean): Promise<TesterSeen> {
    const askedMs = this.now();
    const [pulls, rtmpPulls, streams, statistics] = await Promise.all([
      this.rest.pull.findAll(),
      byRtmp ? this.rest.rtmpPull.findAll().catch(noList) : [],
      this.published.list(),
      this.rest.statistics().catch(() => undefined),
    ]);
    return {
      askedMs,
      pulls: byName([...rtmpPulls, ...pulls], ({ localStreamName }) => localStreamName),
      streams: byName(streams, ({ name }) => name),
      hasMetrics: this.published.hasMetrics,
      statistics,
    };
  }
}

/** Some builds answer the list of RTMP pulls with 500 when there is none. */
function noList(error: unknown): WcsPull[] {
  if (error instanceof FullhouseError && error.code === 'http-500') return [];
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
