import type { StreamView } from '../../../domain/model/node';
import type { SeriesId } from '../../../domain/series/series';
import { FullhouseError } from '../../../contract/calls';
import type { PolledServer, ServerAccess, ServerIdentity } from '../adapter';
import { capabilitiesOf } from '../capabilities';
import type { SrsStream, Summaries } from './responses';
import { exporterValues, isExporter } from './exporter';
import { Publishers } from './publishers';
import { defaultPorts, rtmpPortOf, srsAddresses, type SrsPorts, writeName } from './srsAddresses';
import { srsApi, type SrsApi } from './srsApi';
import { Traffic } from './traffic';
import { findWhepPath } from './whepPath';

export const exporterPort = 9972;
const guessTimeoutMs = 1500;
/** Codes of SRS's own errors, of a part that it does not have, and of one that is invalid. */
const isPartial = /^(srs-\d+|too-old|bad-answer)$/;

/** Opens the SRS of a node; sends no request yet. Throws `no-address` when its settings have none. */
export function openSrs(access: ServerAccess): PolledServer {
  const { who, settings, http, clock, remark } = access;
  const base = settings.url;
  if (!base)
    throw new FullhouseError('no-address', `${who} has no API address; edit the node. It is usually http://HOST:1985.`);
  const api = srsApi(http, who, base, remark);
  const { hostname } = new URL(base);
  const traffic = new Traffic();
  const frameRates = new FrameRates();
  const publishers = new Publishers(api, clock.now);
  const vhosts = new VhostNames(api);
  let ports: SrsPorts = defaultPorts;
  /** Undefined until its existence is known. */
  let exporter: string | null | undefined = settings.metrics;

  // Not by HEAD: SRS sends a body with it, which is no HTTP.
  const reachable = (url: string): Promise<boolean> =>
    http.request({ url, timeoutMs: guessTimeoutMs, firstBytes: 1 }).then(
      () => true,
      () => false,
    );

  /** A guess that gets no response is not repeated every second. */
  const findExporter = async (): Promise<void> => {
    const url = `http://${hostname}:${exporterPort}/metrics`;
    const text = await http.text({ url, timeoutMs: guessTimeoutMs }).catch(() => '');
    exporter = isExporter(text) ? url : null;
  };

  /** `identify` reports its failure; the API has the same figures, less exact. */
  const askExporter = async (): Promise<Partial<Record<SeriesId, number>>> => {
    if (exporter === undefined) await findExporter();
    if (!exporter) return {};
    return http.text({ url: exporter, timeoutMs: guessTimeoutMs }).then(exporterValues, () => ({}));
  };

  /** A part of the API that is disabled or invalid takes only its own figures away; without a response all fail. */
  const partOf = async <T>(ask: Promise<T>, faults: FullhouseError[]): Promise<T | undefined> => {
    try {
      return await ask;
    } catch (error) {
      if (!(error instanceof FullhouseError) || !isPartial.test(error.code)) throw error;
      faults.push(error);
      return undefined;
    }
  };

  const streamsNow = async (): Promise<readonly { readonly view: StreamView; readonly raw: SrsStream }[]> => {
    const streams = await api.streams();
    const faults: FullhouseError[] = [];
    await Promise.all([partOf(publishers.refresh(streams), faults), partOf(vhosts.refresh(streams), faults)]);
    for (const { message } of faults) remark?.(message);
    frameRates.take(streams);
    const rtmp = streams.map(({ tcUrl }) => rtmpPortOf(tcUrl)).find((port) => port !== undefined);
    if (rtmp !== undefined) ports = { ...ports, rtmp };
    if (vhosts.hasHls) ports = { ...ports, hls: true };
    return streams.map((raw) => {
      const name = writeName({ app: raw.app, stream: raw.name, vhost: vhosts.nameOf(raw.vhost) });
      return { raw, view: streamView(raw, name, publishers, frameRates) };
    });
  };

  return {
    family: 'srs',
    get capabilities() {
      return capabilitiesOf(srsAddresses(settings, base, ports, 'x'), {
        measure: ['process', 'streams', 'viewers', 'connections', 'media in and out'],
        terminate: true,
      });
    },
    identify: async (): Promise<ServerIdentity> => {
      const { data, pid } = await api.versions();
      ports = {
        ...ports,
        webrtc: data.major >= 5,
        whepPath: await findWhepPath(http, base, data.major, guessTimeoutMs),
      };
      const tooOld =
        data.major < 5 && !settings.whep
          ? `${who}: SRS ${data.version} has no WHIP and WHEP; they exist since SRS 5.`
          : undefined;
      const remarks = tooOld === undefined ? [] : [tooOld];
      if (!settings.flv && !settings.hls && !(await reachable(`http://${hostname}:8080/`))) {
        ports = { ...ports, media: undefined };
        remarks.push(
          `${who}: no HTTP server responds on port 8080, so HTTP-FLV and HLS addresses are unknown; add them to the node if they exist.`,
        );
      }
      if (settings.metrics && !isExporter(await http.text({ url: settings.metrics }).catch(() => '')))
        remarks.push(`${who}: no SRS exporter responds at ${shown(settings.metrics)}; only its API is read.`);
      return { software: `SRS ${data.version}`, pid, process: settings.process ?? 'srs', remarks, tooOld };
    },
    poll: async () => {
      const faults: FullhouseError[] = [];
      const [summaries, streams, exported] = await Promise.all([
        partOf(api.summaries(), faults),
        partOf(streamsNow(), faults),
        askExporter(),
      ]);
      const [fault] = faults;
      if (fault && !summaries && !streams) throw fault;
      for (const { message } of faults) remark?.(message);
      return {
        values: {
          ...(summaries ? { ...ownFigures(summaries), ...traffic.values(summaries) } : {}),
          ...exported,
          ...(streams
            ? {
                originViewers: streams.reduce((sum, { view }) => sum + (view.viewers ?? 0), 0),
                originStreams: streams.filter(({ raw }) => raw.publish?.active).length,
              }
            : {}),
        },
        streams: streams?.map(({ view }) => view) ?? [],
      };
    },
    addresses: (stream) => srsAddresses(settings, base, ports, stream),
    terminate: async (stream) => {
      const found = (await streamsNow()).find(({ view }) => view.stream === stream);
      const id = found?.raw.publish?.active ? await publisherId(api, found.raw) : undefined;
      if (id === undefined) throw new FullhouseError('no-such-stream', `${who}: ${stream} has no publisher.`);
      await api.kick(id);
    },
  };
}

/** SRS 3 and older do not report it with the stream. */
async function publisherId(api: SrsApi, { id, publish }: SrsStream): Promise<string | undefined> {
  if (publish?.cid !== undefined) return publish.cid;
  return (await api.clients()).find((client) => client.publish === true && client.stream === id)?.id;
}

/** Names of the virtual hosts, and whether one writes HLS; read only when a new one appears. */
class VhostNames {
  private names = new Map<string, string>();
  hasHls = false;

  constructor(private readonly api: SrsApi) {}

  async refresh(streams: readonly SrsStream[]): Promise<void> {
    const ids = new Set(streams.flatMap(({ vhost }) => vhost ?? []));
    if ([...ids].every((id) => this.names.has(id))) return;
    const vhosts = await this.api.vhosts();
    this.names = new Map(vhosts.map(({ id, name }) => [id, name]));
    // One that is not listed is not requested again.
    for (const id of ids) if (!this.names.has(id)) this.names.set(id, id);
    this.hasHls = vhosts.some(({ hls }) => hls?.enabled);
  }

  nameOf(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.names.get(id);
  }
}

function streamView(raw: SrsStream, name: string, publishers: Publishers, frameRates: FrameRates): StreamView {
  const isPublished = raw.publish?.active === true;
  const { video, audio } = raw;
  const fps = isPublished ? frameRates.of(raw.id) : undefined;
  return {
    stream: name,
    ...publishers.of(raw),
    viewers: Math.max(0, raw.clients - (isPublished ? 1 : 0)),
    ...(video?.codec ? { videoCodec: video.codec } : {}),
    ...(audio?.codec ? { audioCodec: audio.codec } : {}),
    ...(video?.width ? { width: video.width } : {}),
    ...(video?.height ? { height: video.height } : {}),
    ...(fps === undefined ? {} : { fps }),
  };
}

function ownFigures({ self, system }: Summaries): Partial<Record<SeriesId, number>> {
  return {
    ...(self.cpu_percent === undefined ? {} : { processCpuPercent: self.cpu_percent * 100 }),
    ...(self.mem_kbyte === undefined ? {} : { processMemoryBytes: self.mem_kbyte * 1024 }),
    ...(system.conn_srs === undefined ? {} : { originConnections: system.conn_srs }),
  };
}

/** Without query and credentials. */
function shown(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}

/**
 * SRS updates its frame counts every few seconds: over less time than this a rate would be off by more than a few
 * percent.
 */
const minWindowMs = 25_000;
const windowMs = 60_000;

interface Step {
  readonly atMs: number;
  readonly frames: number;
}

/** Frame rate of each stream from its frame count; unknown in the first half minute, and always for WebRTC. */
class FrameRates {
  private readonly steps = new Map<string, Step[]>();

  /** Takes the streams of one response and forgets those that are gone. */
  take(streams: readonly SrsStream[]): void {
    for (const id of [...this.steps.keys()]) if (!streams.some((stream) => stream.id === id)) this.steps.delete(id);
    for (const { id, frames, live_ms: atMs } of streams) {
      if (!frames || atMs === undefined) continue;
      const steps = this.steps.get(id) ?? [];
      const last = steps[steps.length - 1];
      if (last && frames < last.frames) steps.length = 0;
      if (!last || frames !== last.frames) steps.push({ atMs, frames });
      while (steps.length > 1 && atMs - (steps[0]?.atMs ?? atMs) > windowMs) steps.shift();
      this.steps.set(id, steps);
    }
  }

  /** In frames per second, to a tenth. */
  of(id: string): number | undefined {
    const steps = this.steps.get(id) ?? [];
    const first = steps[0];
    const last = steps[steps.length - 1];
    if (!first || !last || last.atMs - first.atMs < minWindowMs) return undefined;
    return Math.round(((last.frames - first.frames) * 10_000) / (last.atMs - first.atMs)) / 10;
  }
}
