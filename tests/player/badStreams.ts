import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const seconds = 40;
const segmentSeconds = 2;

const picture = (size: string): string[] => ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440'];
const h264 = ['-c:v', 'libx264', '-profile:v', 'baseline', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50'];
const aac = ['-c:a', 'aac', '-b:a', '64k'];

async function encode(folder: string, length: number, ...args: readonly string[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const hls = ['-f', 'hls', '-hls_time', `${segmentSeconds}`, '-hls_list_size', '0', join(folder, 'index.m3u8')];
  await run('ffmpeg', ['-loglevel', 'error', ...args, '-t', `${length}`, ...hls]);
  return (await readFile(join(folder, 'index.m3u8'), 'utf8')).split('\n');
}

/**
 * Streams over HLS, encoded by ffmpeg: `good`; without audio or video (`silent`, `pictureless`); `resized` in the
 * middle; with a page instead of a playlist (`page`), with segments of random bytes (`noise`), and `refused` for want of
 * a token.
 */
export async function startBadStreams(folder: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const into = (stream: string): string => join(folder, stream);
  const small = [...picture('320x240'), ...tone, ...h264, ...aac];
  const [, , , resized] = await Promise.all([
    encode(into('good'), seconds, ...small),
    encode(into('silent'), seconds, ...picture('320x240'), ...h264),
    encode(into('pictureless'), seconds, ...tone, ...aac),
    encode(into('resized'), 2 * segmentSeconds, ...small),
    encode(into('resized/large'), seconds, ...picture('640x360'), ...tone, ...h264, ...aac),
    encode(into('noise'), seconds, ...small),
  ]);
  const large = await readFile(join(into('resized/large'), 'index.m3u8'), 'utf8');
  const rest = large.slice(large.indexOf('#EXTINF')).replaceAll(/^index/gm, 'large/index');
  const head = resized.filter((line) => line !== '' && line !== '#EXT-X-ENDLIST');
  await writeFile(join(into('resized'), 'index.m3u8'), [...head, '#EXT-X-DISCONTINUITY', rest].join('\n'));

  const server = createServer((request, response) => {
    const path = normalize(request.url ?? '/');
    if (path.startsWith('/refused/')) return void response.writeHead(403).end('token required');
    if (path.startsWith('/page/')) return void response.end('<!doctype html><title>Sign in</title>');
    if (path.startsWith('/noise/') && path.endsWith('.ts')) return void response.end(randomBytes(50_000));
    readFile(join(folder, path)).then(
      (body) => response.end(body),
      () => response.writeHead(404).end('no such file'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
