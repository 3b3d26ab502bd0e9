import type { NodeCapabilities, StreamView } from '../../../domain/model/node';
import type { PlayProtocol } from '../../../domain/model/protocols';
import { FullhouseError } from '../../../contract/calls';
import { sleep, type Clock } from '../../base/clock';
import type { PolledServer, ServerAccess, ServerIdentity, StreamAddresses } from '../adapter';
import { capabilitiesOf } from '../capabilities';
import { identityOf } from './identity';
import { listIntervalMs, PublishedStreams } from './publishedStreams';
import { resemblance } from './statistics/detectFormat';
import { seriesOf } from './statistics/values';
import { streamQuality } from './streamQuality';
import { StreamRates, type StreamRate } from './streamRates';
import { countViewers, isOver, streamViews } from './streamViews';
import type { WcsStream } from './restSchemas';
import { wcsSignalling } from './signalMedia';
import { wcsAddresses } from './wcsAddresses';
import { wcsRest, type WcsRest } from './wcsRest';

/** A WCS as a server under test, with its additional functions. */
export interface WcsServer extends PolledServer {
  readonly rest: WcsRest;
  /** Ends every published stream; resolves with their number. */
  terminateAll(): Promise<number>;
}

/** The list of all players is long and costs the server time: max share of the time spent on it. */
const listingShare = 0.2;
const listingTimeoutMs = 10_000;
const firstListingMs = 500;
/** Delay after a list that failed. */
const listingPauseMs = 30_000;

/** Opens the WCS of a node; sends no request yet. Throws `no-address` when its settings have none. */
export function openWcs({ who, settings, http, clock, remark }: ServerAccess): WcsServer {
  const { url } = settings;
  if (!url)
    throw new FullhouseError(
      'no-address',
      `${who} has no REST API address; edit the node. It is usually http://HOST:8081.`,
    );
  const rest = wcsRest({ http, who, url, remark });
  const players = new PlayerCounts(rest, clock);
  const published = new PublishedStreams(rest);
  const signalling = wcsSignalling({
    who,
    url: wcsAddresses(settings, 'x').play.wcs,
    acceptSelfSigned: settings.selfSigned,
    proxy: settings.proxy,
    clock,
  });
  let isClosed = false;
  const streamRates = new StreamRates();
  let rates: ReadonlyMap<string, StreamRate> = new Map();
  let latest: WcsStream[] = [];
  let nextListMs = Number.NEGATIVE_INFINITY;

  return {
    family: 'wcs',
    capabilities: ownCapabilities(wcsAddresses(settings, 'x')),
    rest,
    identify: async (): Promise<ServerIdentity> => {
      const statistics = await rest.statistics();
      if (resemblance(statistics) === 0)
        throw new FullhouseError(
          'not-wcs',
          `${who}: the server at ${url} has statistics, but not those of a WCS; check the address.`,
        );
      return identityOf(who, statistics, await published.list(), published.hasMetrics);
    },
    poll: async () => {
      const startMs = clock.now();
      const isDue = startMs >= nextListMs;
      const [statistics, list] = await Promise.all([rest.statistics(), isDue ? published.list() : latest]);
      if (isDue) {
        [latest, nextListMs] = [list, startMs + listIntervalMs(list)];
        rates = streamRates.take(list, startMs);
      }
      if (!isClosed) await players.refresh();
      const streams: StreamView[] = streamViews(list, players.counts, clock.wall(), rates);
      return {
        values: { originStreams: streams.length, ...seriesOf(statistics), ...streamQuality(list, statistics) },
        streams,
      };
    },
    addresses: (stream) => wcsAddresses(settings, stream),
    terminate: (stream) => terminateStream(rest, stream),
    capture: (address) => rest.rtsp.startup(address),
    signal: signalling.signal,
    terminateAll: async () => {
      const ids = (await published.list()).flatMap((stream) =>
        isOver(stream.status) ? [] : (stream.mediaSessionId ?? []),
      );
      await rest.stream.terminate(ids);
      return ids.length;
    },
    close: () => {
      isClosed = true;
      signalling.close();
    },
  };
}

function ownCapabilities(addresses: StreamAddresses): NodeCapabilities {
  const pulled = Object.keys(addresses.play) as PlayProtocol[];
  return capabilitiesOf(addresses, {
    publish: ['wcs', 'rtmp'],
    pull: ['wcs', 'rtmp', ...pulled.filter((each) => each !== 'wcs' && each !== 'rtmp')],
    measure: ['streams', 'viewers', 'degraded', 'connections', 'media ports', 'threads'],
    terminate: true,
    capture: true,
  });
}

/** Ends a stream the way it was created: pulled from another server, from a camera, or published. */
async function terminateStream(rest: WcsRest, stream: string): Promise<void> {
  const pulled = (await rest.pull.findAll()).find((pull) => pull.localStreamName === stream);
  if (pulled)
    return rest.pull.terminate({
      localStreamName: stream,
      remoteStreamName: pulled.remoteStreamName,
      uri: pulled.uri,
    });
  const camera = (await rest.rtsp.findAll()).some((agent) => agent.uri === stream);
  if (camera) return rest.rtsp.terminate(stream);
  const sessions = await rest.stream.find({ name: stream, published: true });
  // A version that does not know a filter would return everything.
  const ids = sessions.flatMap(({ name, published, mediaSessionId, status }) =>
    name === stream && published !== false && !isOver(status) ? (mediaSessionId ?? []) : [],
  );
  if (ids.length === 0) throw new FullhouseError('no-stream', `${rest.who} has no stream ${stream} to end.`);
  await rest.stream.terminate(ids);
}

/** Viewers by stream, from a list that is read beside the polls: it may take longer than one. */
class PlayerCounts {
  counts: ReadonlyMap<string, number> | undefined;
  private nextMs = 0;
  private isAsking = false;

  constructor(
    private readonly rest: WcsRest,
    private readonly clock: Clock,
  ) {}

  /** Reads it again when due; waits for the response the first time only, and not long. */
  refresh(): Promise<void> {
    const startMs = this.clock.now();
    if (this.isAsking || startMs < this.nextMs) return Promise.resolve();
    this.isAsking = true;
    const isFirst = this.nextMs === 0;
    const answered = this.rest.stream
      .find({ published: false }, { timeoutMs: listingTimeoutMs })
      .then(
        (playing) => {
          this.counts = countViewers(playing);
          this.nextMs = this.clock.now() + (this.clock.now() - startMs) * (1 / listingShare - 1);
        },
        () => {
          // The statistics continue; only the numbers by stream are missing, and are shown as such.
          this.counts = undefined;
          this.nextMs = this.clock.now() + listingPauseMs;
        },
      )
      .finally(() => {
        this.isAsking = false;
      });
    return isFirst ? Promise.race([answered, sleep(this.clock, firstListingMs)]) : Promise.resolve();
  }
}
