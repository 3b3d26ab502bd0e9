import { FullhouseError } from '../../../contract/calls';
import type { NodeCapabilities } from '../../../domain/model/node';
import type { HttpLink } from '../../links/http/httpLink';
import { describeResponse, reportInvalid } from '../../links/http/readResponse';
import type { PolledServer, ServerAccess, ServerIdentity } from '../adapter';
import { capabilitiesOf } from '../capabilities';
import { Figures } from './figures';
import { findFlv, flvSample } from './flvLocation';
import { controlUrlOf, hlsCandidates, nginxAddresses, readName, type NginxGuesses } from './nginxAddresses';
import { readStat, type Stat } from './stat';

/** An nginx with nginx-rtmp as a server under test, with its additional functions. */
export interface NginxRtmpServer extends PolledServer {
  /** Drops the viewers of a stream, or those from one address; resolves with their number. */
  dropViewers(stream: string, address?: string): Promise<number>;
}

/** The stat page is requested this often in a row to meet other workers, if any. */
const workerProbes = 4;
/** HLS starts some seconds after its stream: a guess is retried this often, at this interval. */
const hlsAgainMs = 5000;
const maxHlsProbes = 24;

/** Opens the nginx of a node; sends no request yet. Throws `no-address` when its settings have no stat page. */
export function openNginxRtmp({ who, settings, http, clock, remark }: ServerAccess): NginxRtmpServer {
  const { url } = settings;
  if (!url)
    throw new FullhouseError(
      'no-address',
      `${who} has no stat page address; edit the node. It is usually http://HOST:8080/stat.`,
    );
  const control = controlModule(http, who, settings.control ?? controlUrlOf(url));
  const figures = new Figures();
  let hasControl = false;
  let hls: string | undefined;
  let flv: string | undefined;
  let ports: readonly number[] = [];
  let isFlvProbed = false;
  let hlsProbes = 0;
  let hlsProbeMs = -Infinity;
  const guesses = (): NginxGuesses => ({ hls, flv, ports });

  const readPage = async (): Promise<Stat> => {
    const page = await http.text({ url });
    const stat = readStat(page, (invalid) => reportInvalid(who, 'its stat page', invalid, remark));
    if (stat) {
      ({ ports } = stat);
      return stat;
    }
    const place = new URL(url);
    throw new FullhouseError(
      'bad-answer',
      `${who}: ${place.origin}${place.pathname} returned ${/<(rtmp|http-flv)>/.test(page) ? 'incomplete statistics' : describeResponse(page)} instead of nginx-rtmp statistics; check the address. It is usually http://HOST:8080/stat.`,
    );
  };

  /** Checks for playlists beside the stat page: known once a stream has one. */
  const probeHls = async ({ streams }: Stat): Promise<void> => {
    const stream = streams.find(({ isPublished }) => isPublished);
    if (settings.hls || hls || !stream || hlsProbes >= maxHlsProbes || clock.now() - hlsProbeMs < hlsAgainMs) return;
    hlsProbes += 1;
    hlsProbeMs = clock.now();
    for (const guess of hlsCandidates) {
      const template = new URL(url).origin + guess;
      const playlist = template.replace('{name}', encodeURIComponent(stream.name));
      const found = await http.request({ url: playlist, timeoutMs: 1500 }).then(
        ({ status, body }) => status === 200 && body.startsWith('#EXTM3U'),
        () => false,
      );
      if (found) hls = template;
    }
  };

  const probeFlv = async (stat: Stat): Promise<void> => {
    if (settings.flv || isFlvProbed || !flvSample(stat)) return;
    isFlvProbed = true;
    flv = await findFlv(http, url, stat);
  };

  return {
    family: 'nginx-rtmp',
    get capabilities(): NodeCapabilities {
      return capabilitiesOf(nginxAddresses(settings, url, guesses(), 'x'), {
        measure: ['streams', 'viewers', 'degraded', 'connections', 'media in and out'],
        terminate: hasControl,
      });
    },
    identify: async (): Promise<ServerIdentity> => {
      const first = await readPage();
      const [others, answers] = await Promise.all([
        Promise.all(Array.from({ length: workerProbes }, readPage)),
        control.answers(),
      ]);
      hasControl = answers;
      const pids = new Set([first, ...others].map(({ pid }) => pid));
      const remarks: string[] = [];
      if (pids.size > 1)
        remarks.push(
          `${who}: nginx runs several workers and its stat page shows one of them at a time; figures are complete only with "worker_processes 1" or "rtmp_auto_push".`,
        );
      if (!answers)
        remarks.push(
          `${who}: no control module responds at ${settings.control ?? controlUrlOf(url)}, so streams can't be ended remotely; enable it with "rtmp_control all" in nginx's configuration.`,
        );
      await Promise.all([probeHls(first), probeFlv(first)]);
      return {
        software: `${first.module} ${first.moduleVersion}${first.nginxVersion ? ` (nginx ${first.nginxVersion})` : ''}`,
        ...(first.pid !== undefined && pids.size === 1 ? { pid: first.pid } : {}),
        process: settings.process ?? 'nginx',
        remarks,
      };
    },
    poll: async () => {
      const stat = await readPage();
      const sample = figures.take(stat, clock.now());
      // Not part of the poll: the guess may be slow to respond.
      void probeHls(stat);
      void probeFlv(stat);
      return sample;
    },
    addresses: (stream) => nginxAddresses(settings, url, guesses(), stream),
    terminate: (stream) => control.dropPublisher(stream),
    dropViewers: (stream, address) => control.dropViewers(stream, address),
  };
}

/** nginx-rtmp's control module. It returns the number of connections it dropped. */
interface ControlModule {
  /** Whether it responds, by a request to drop a client of a stream that does not exist. */
  answers(): Promise<boolean>;
  dropPublisher(stream: string): Promise<void>;
  /** Drops the viewers of a stream, or of one address only; resolves with their number. */
  dropViewers(stream: string, address?: string): Promise<number>;
}

/** It takes names from the query without decoding, so it can't receive names with these characters. */
const takenAsIs = /^[A-Za-z0-9_.~!$'()*,;:@/-]+$/;

function controlModule(http: HttpLink, who: string, base: string): ControlModule {
  const drop = (what: string, query: string, timeoutMs?: number): ReturnType<HttpLink['request']> =>
    http.request({ url: `${base.replace(/\/$/, '')}/drop/${what}?${query}`, timeoutMs });
  const dropIn = async (what: string, stream: string, more = ''): Promise<number> => {
    const { app, stream: name, server } = readName(stream);
    if (!takenAsIs.test(app) || !takenAsIs.test(name))
      throw new FullhouseError(
        'not-possible',
        `${who}: nginx-rtmp's control module can't handle names with spaces, "&", "%" or non-ASCII letters, so ${stream} can't be ended remotely.`,
      );
    const { status, body } = await drop(what, `srv=${server}&app=${app}&name=${name}${more}`);
    if (status === 200 && /^\d+\s*$/.test(body)) return Number(body);
    throw new FullhouseError(
      `http-${status}`,
      `${who}: nginx-rtmp's control module refused the request (HTTP ${status} at ${new URL(base).pathname}); add "rtmp_control all" to that location.`,
    );
  };
  return {
    answers: () =>
      drop('publisher', 'app=fullhouse-look&name=fullhouse-look', 1500).then(
        ({ status, body }) => status === 200 && /^\d+\s*$/.test(body),
        () => false,
      ),
    dropPublisher: async (stream) => {
      if ((await dropIn('publisher', stream)) === 0)
        throw new FullhouseError('no-such-stream', `${who}: ${stream} has no publisher.`);
    },
    dropViewers: (stream, address) => dropIn('subscriber', stream, address === undefined ? '' : `&addr=${address}`),
  };
}
