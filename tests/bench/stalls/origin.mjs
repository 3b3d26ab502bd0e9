import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../../scripts/setup/command.mjs';

export const segmentSeconds = 2;
/** Long enough that a viewer with stalls does not fall out of the playlist. */
const windowSegments = 30;
/** Segments that exist when the origin starts. */
const firstSegments = 6;
/** Constant, so that a throttle has the same effect on every segment. */
const videoKbps = 400;
const sendEveryMs = 20;

/**
 * A live HLS stream whose origin sends to each client no faster than a schedule allows. A client is the first part of
 * the path, e.g. /browser/live.m3u8, so that several are throttled alike and apart.
 * @param {number} seconds length of the stream
 * @param {(seconds: number) => number} share since the start, of the stream's own bitrate that a client receives
 */
export async function startThrottledOrigin(seconds, share) {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-stalls-'));
  const rate = `-b:v ${videoKbps}k -minrate ${videoKbps}k -maxrate ${videoKbps}k -bufsize ${videoKbps / 2}k`;
  await mustRun('Encoding the stream', 'ffmpeg', [
    ...'-hide_banner -loglevel error -nostdin -f lavfi -i testsrc2=size=320x240:rate=25'.split(' '),
    ...`-t ${seconds} -c:v libx264 -preset veryfast -profile:v baseline -pix_fmt yuv420p -g 50 ${rate}`.split(' '),
    ...`-x264-params nal-hrd=cbr -f hls -hls_time ${segmentSeconds} -hls_list_size 0`.split(' '),
    join(folder, 'all.m3u8'),
  ]);
  const startedMs = Date.now() - firstSegments * segmentSeconds * 1000;
  const secondsNow = () => (Date.now() - startedMs) / 1000;
  const clients = new Map();
  const bytesASecond = () => ((videoKbps * 1.08 * 1000) / 8) * share(secondsNow() - firstSegments * segmentSeconds);

  const playlist = () => {
    const made = Math.floor(secondsNow() / segmentSeconds);
    const first = Math.max(0, made - windowSegments);
    const lines = ['#EXTM3U', `#EXT-X-TARGETDURATION:${segmentSeconds}`, `#EXT-X-MEDIA-SEQUENCE:${first}`];
    for (let number = first; number < made; number += 1)
      lines.push(`#EXTINF:${segmentSeconds.toFixed(3)},`, `all${number}.ts`);
    return `${lines.join('\n')}\n`;
  };

  /** Each client has one allowance for all of its connections. */
  const send = (client, response, body) => {
    const state = clients.get(client) ?? { queue: [], spare: 0 };
    clients.set(client, state);
    state.queue.push({ response, body, at: 0 });
  };
  const timer = setInterval(() => {
    const allowed = (bytesASecond() * sendEveryMs) / 1000;
    for (const state of clients.values()) {
      state.spare = Math.min(state.spare + allowed, 4 * allowed);
      while (state.queue.length > 0 && state.spare >= 1) {
        const [head] = state.queue;
        const count = Math.min(Math.floor(state.spare), head.body.length - head.at);
        head.response.write(head.body.subarray(head.at, head.at + count));
        state.spare -= count;
        if ((head.at += count) < head.body.length) break;
        head.response.end();
        state.queue.shift();
      }
    }
  }, sendEveryMs);

  const server = createServer((request, response) => {
    const [, client, name = ''] = (request.url ?? '').split('/');
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (name === 'live.m3u8') return void response.end(playlist());
    if (!/^all\d+\.ts$/.test(name)) return void response.writeHead(404).end();
    const body = readFileSync(join(folder, name));
    response.setHeader('Content-Length', body.length);
    send(client, response, body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: (client) => `http://127.0.0.1:${server.address().port}/${client}/live.m3u8`,
    close: () => {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
