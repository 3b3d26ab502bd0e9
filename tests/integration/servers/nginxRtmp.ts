import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { freePorts } from './freePort';
import { join } from 'node:path';

const modulePath = '/usr/lib/nginx/modules/ngx_rtmp_module.so';

export interface Publishing {
  readonly pid: number;
  /** Resolves when the publisher has ended. */
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

export interface NginxRtmp {
  /** Of the stat page. */
  readonly url: string;
  readonly rtmpPort: number;
  /** Template with `{stream}`, in the app `live`, which has HLS too. */
  readonly rtmp: string;
  readonly hls: string;
  readonly pid: number;
  /** Publishes a test pattern with ffmpeg, max `seconds` long, to `app/name`. */
  publish(path: string, seconds?: number): Publishing;
  /** The same without video. */
  publishAudio(path: string): Publishing;
  /** Plays with ffmpeg, discarding the output. */
  play(path: string, seconds?: number): Publishing;
  end(): Promise<void>;
}

/**
 * Starts a real nginx with nginx-rtmp on free loopback ports, all its files in `folder`; resolves when it responds.
 * Application `show` relays codecs that nginx-rtmp does not know, too (wait_key off).
 * `control` and `hls` are optional, as in real installations; `hls` needs a second or two of a stream first.
 */
export async function startNginxRtmp(
  folder: string,
  options: { readonly control?: boolean; readonly workers?: number; readonly maxConnections?: number } = {},
): Promise<NginxRtmp> {
  if (!existsSync(modulePath))
    throw new Error(`This test needs nginx with its RTMP module: apt-get install nginx libnginx-mod-rtmp.`);
  const { control = true, workers = 0, maxConnections } = options;
  const [rtmpPort = 0, httpPort = 0] = await freePorts(2);
  mkdirSync(join(folder, 'hls'), { recursive: true });
  // Its workers drop root privileges.
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'hls'), 0o777);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${folder}/${each};`)
    .join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `load_module ${modulePath};
daemon off; ${workers > 0 ? `worker_processes ${workers};` : 'master_process off;'}
pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 1000; }
rtmp { ${maxConnections === undefined ? '' : `max_connections ${maxConnections};`} server {
  listen 127.0.0.1:${rtmpPort}; chunk_size 4096;
  application live { live on; hls on; hls_path ${folder}/hls; hls_fragment 1s; hls_playlist_length 10s; }
  application show { live on; wait_key off; }
} }
http { access_log off; ${temporary}
  server { listen 127.0.0.1:${httpPort}${workers > 1 ? ' reuseport' : ''};
    location /stat { rtmp_stat all; }
    ${control ? 'location /control { rtmp_control all; }' : ''}
    location /hls { root ${folder}; add_header Access-Control-Allow-Origin *;
      types { application/vnd.apple.mpegurl m3u8; video/mp2t ts; } }
  }
}
`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', `${folder}/error.log`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const words = lastWords(child);
  const url = `http://127.0.0.1:${httpPort}/stat`;
  const stop = (): Promise<void> => endChild(child);
  try {
    await answering(url, child, words);
  } catch (error) {
    await stop();
    throw error;
  }
  const children: ChildProcess[] = [];
  const run = (args: readonly string[]): Publishing => {
    const ffmpeg = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', ...args], {
      stdio: 'ignore',
    });
    children.push(ffmpeg);
    const ended = once(ffmpeg, 'close').then(() => undefined);
    return { pid: ffmpeg.pid ?? 0, ended, end: () => endChild(ffmpeg) };
  };
  const rtmpAt = (path: string): string => `rtmp://127.0.0.1:${rtmpPort}/${path}`;
  return {
    url,
    rtmpPort,
    rtmp: rtmpAt('live/{stream}'),
    hls: `http://127.0.0.1:${httpPort}/hls/{stream}.m3u8`,
    pid: child.pid ?? 0,
    publish: (path, seconds = 30) =>
      run([
        ...['-re', '-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=25', '-re', '-f', 'lavfi', '-i', 'sine'],
        ...['-t', String(seconds), '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-b:v', '200k'],
        ...['-c:a', 'aac', '-f', 'flv', rtmpAt(path)],
      ]),
    publishAudio: (path) =>
      run(['-re', '-f', 'lavfi', '-i', 'sine', '-t', '60', '-c:a', 'aac', '-f', 'flv', rtmpAt(path)]),
    play: (path, seconds = 30) => run(['-i', rtmpAt(path), '-t', String(seconds), '-c', 'copy', '-f', 'null', '-']),
    end: async () => {
      await Promise.all(children.map(endChild));
      await stop();
    },
  };
}

function lastWords(child: ChildProcess): () => string {
  let words = '';
  child.stderr?.on('data', (chunk) => (words = (words + String(chunk)).slice(-2000)));
  return () => words;
}

async function answering(url: string, child: ChildProcess, words: () => string): Promise<void> {
  for (const endMs = Date.now() + 10_000; Date.now() < endMs;) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${words()}`);
    const isThere = await new Promise<boolean>((resolve) => {
      request(url, (response) => resolve(response.resume().statusCode === 200))
        .on('error', () => resolve(false))
        .end();
    });
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nginx does not respond: ${words()}`);
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
  await gone;
  clearTimeout(timer);
}
