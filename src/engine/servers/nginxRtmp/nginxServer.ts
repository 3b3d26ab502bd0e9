import { FullhouseError } from '../../../contract/calls';
import type { NodeCapabilities } from '../../../domain/node';
import { describeAnswer } from '../../links/http/readAnswer';
import type { PolledServer, ServerAccess, ServerIdentity } from '../adapter';
import { controlModule } from './control';
import { Figures } from './figures';
import { controlBeside, hlsGuesses, nginxAddresses } from './nginxAddresses';
import { readStat, type Stat } from './stat';

/** An nginx with nginx-rtmp as a server under test, and what it can beyond that. */
export interface NginxRtmpServer extends PolledServer {
  /** Drops the viewers of a stream, or those from one address; resolves with their number. */
  dropViewers(stream: string, address?: string): Promise<number>;
}

/** The stat page is asked so often at once to meet other workers, if there are any. */
const workerLooks = 4;
/** HLS begins some seconds after its stream: a guess is tried again so often and so late. */
const hlsAgainMs = 5000;
const mostHlsLooks = 24;

/** Opens the nginx of a node; nothing is asked yet. Throws `no-address` when its settings name no stat page. */
export function openNginxRtmp({ who, settings, http, now }: ServerAccess): NginxRtmpServer {
  const { url } = settings;
  if (!url)
    throw new FullhouseError(
      'no-address',
      `${who} has no address of its stat page; edit the node, it is usually http://HOST:8080/stat.`,
    );
  const control = controlModule(http, who, settings.control ?? controlBeside(url));
  const figures = new Figures();
  let hasControl = false;
  let hls: string | undefined;
  let hlsLooks = 0;
  let hlsLookMs = -Infinity;

  const readPage = async (): Promise<Stat> => {
    const page = await http.text({ url });
    const stat = readStat(page);
    if (stat) return stat;
    const place = new URL(url);
    throw new FullhouseError(
      'bad-answer',
      `${who}: ${place.origin}${place.pathname} answers with ${/<rtmp>/.test(page) ? 'statistics that break off' : describeAnswer(page)} where nginx-rtmp's statistics are expected; check the address, it is usually http://HOST:8080/stat.`,
    );
  };

  /** Whether playlists are beside the stat page: known once a stream has one. */
  const lookForHls = async ({ streams }: Stat): Promise<void> => {
    const stream = streams.find(({ isPublished }) => isPublished);
    if (settings.hls || hls || !stream || hlsLooks >= mostHlsLooks || now() - hlsLookMs < hlsAgainMs) return;
    hlsLooks += 1;
    hlsLookMs = now();
    for (const guess of hlsGuesses) {
      const template = new URL(url).origin + guess;
      const playlist = template.replace('{name}', encodeURIComponent(stream.name));
      const found = await http.request({ url: playlist, timeoutMs: 1500 }).then(
        ({ status, body }) => status === 200 && body.startsWith('#EXTM3U'),
        () => false,
      );
      if (found) hls = template;
    }
  };

  return {
    family: 'nginx-rtmp',
    get capabilities(): NodeCapabilities {
      const hasHls = Boolean(settings.hls ?? hls);
      return {
        publish: ['rtmp'],
        pull: ['rtmp'],
        play: hasHls ? ['hls'] : [],
        serves: hasHls ? ['rtmp', 'hls'] : ['rtmp'],
        measure: ['streams', 'viewers', 'degraded', 'connections', 'media in and out'],
        terminate: hasControl,
      };
    },
    identify: async (): Promise<ServerIdentity> => {
      const first = await readPage();
      const [others, answers] = await Promise.all([
        Promise.all(Array.from({ length: workerLooks }, readPage)),
        control.answers(),
      ]);
      hasControl = answers;
      const pids = new Set([first, ...others].map(({ pid }) => pid));
      const remarks: string[] = [];
      if (pids.size > 1)
        remarks.push(
          `${who}: nginx runs several workers and its stat page tells of one of them at a time; figures are whole only with "worker_processes 1" or "rtmp_auto_push".`,
        );
      if (!answers)
        remarks.push(
          `${who}: no control module answers at ${settings.control ?? controlBeside(url)}, so streams can't be ended from here; "rtmp_control all" in nginx's configuration turns it on.`,
        );
      await lookForHls(first);
      return {
        software: `nginx-rtmp ${first.moduleVersion}${first.nginxVersion ? ` (nginx ${first.nginxVersion})` : ''}`,
        ...(first.pid !== undefined && pids.size === 1 ? { pid: first.pid } : {}),
        process: settings.process ?? 'nginx',
        remarks,
      };
    },
    poll: async () => {
      const stat = await readPage();
      const sample = figures.take(stat, now());
      // No part of the beat: the guess may be slow to answer.
      void lookForHls(stat);
      return sample;
    },
    addresses: (stream) => nginxAddresses(settings, url, hls, stream),
    terminate: (stream) => control.dropPublisher(stream),
    dropViewers: (stream, address) => control.dropViewers(stream, address),
  };
}
