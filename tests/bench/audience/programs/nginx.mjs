import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { mustRun } from '../../../../scripts/setup/command.mjs';
import { SetupProblem } from '../../../../scripts/setup/problem.mjs';
import { pause, startChild, until } from './children.mjs';

const modulePath = '/usr/lib/nginx/modules/ngx_rtmp_module.so';
const fileSeconds = 20;
/** The test picture as a file of 5 minutes, in the folder of the server. */
export const longFile = 'long.flv';
/** Both are constant, so with RTMP overhead 1,000 viewers receive about 214 Mbit/s. */
const videoKbps = 161;
const audioKbps = 48;

/** Starts a real nginx with nginx-rtmp and one worker on a free loopback port, all its files in `folder`. */
export async function startNginx(folder) {
  if (!existsSync(modulePath))
    throw new SetupProblem('This part needs nginx with its RTMP module: apt-get install nginx libnginx-mod-rtmp.');
  const port = await freePort();
  const httpPort = await freePort();
  chmodSync(folder, 0o755); // its worker drops root privileges
  mkdirSync(join(folder, 'hls'));
  chmodSync(join(folder, 'hls'), 0o777);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${folder}/${each};`)
    .join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `load_module ${modulePath};
daemon off; worker_processes 1; worker_rlimit_nofile 16384;
pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 8192; }
rtmp { server { listen 127.0.0.1:${port}; chunk_size 4096; application live {
  live on; hls on; hls_path ${folder}/hls; hls_fragment 2s; hls_playlist_length 20s; } } }
http { access_log off; keepalive_requests 100000; ${temporary}
  server { listen 127.0.0.1:${httpPort}; root ${folder}; location ~ flv$ { limit_rate 27k; } location = /stat { rtmp_stat all; } } }
`,
  );
  const child = startChild('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', `${folder}/error.log`], {
    endsWithInput: false,
  });
  await until(() => child.isRunning() && answers(port), 'an nginx that responds', 10_000);
  return { port, httpPort, pid: child.pid, end: () => child.end() };
}

/** Publishes a test pattern with ffmpeg, encoded beforehand so that the measurement involves only copying. */
export async function publishTestPicture(folder, url) {
  const file = join(folder, 'picture.flv');
  const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin'];
  const source = `-f lavfi -i testsrc=size=426x240:rate=25 -f lavfi -i sine -t ${fileSeconds}`;
  const rate = `-b:v ${videoKbps}k -minrate ${videoKbps}k -maxrate ${videoKbps}k -bufsize ${videoKbps / 2}k`;
  const video = `-c:v libx264 -preset veryfast -profile:v baseline -pix_fmt yuv420p -g 50 ${rate} -x264-params nal-hrd=cbr`;
  await mustRun('Encoding the test picture', 'ffmpeg', [
    ...quiet,
    ...`${source} ${video} -c:a aac -b:a ${audioKbps}k`.split(' '),
    file,
  ]);
  // For parts that send a file at the rate of the stream; longer than any measurement.
  const repeated = ['-stream_loop', '14', '-i', file, '-c', 'copy', join(folder, longFile)];
  await mustRun('Repeating the test picture', 'ffmpeg', [...quiet, ...repeated]);
  const playing = [...'-re -stream_loop -1 -i'.split(' '), file, ...'-c copy -f flv'.split(' '), url];
  const child = startChild('ffmpeg', [...quiet, ...playing], { endsWithInput: false });
  await pause(2000); // until nginx has a keyframe
  if (!child.isRunning()) await child.received('a picture', 0);
  return { end: () => child.end() };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });
}
