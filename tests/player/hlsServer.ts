import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export interface HlsServer {
  /** Address of the playlist. */
  readonly url: string;
  /** Requests served so far, by path. */
  readonly asked: string[];
  /** If set, the status of every response. */
  refuseWith: number | undefined;
  /** Pauses or resumes segments, like a publisher with an interrupted uplink. */
  pause(isPaused: boolean): void;
  close(): Promise<void>;
}

const picture = 'testsrc2=size=320x240:rate=25';

/** A live stream of a test pattern with a tone, encoded by ffmpeg in segments of 1 s and served over HLS. */
export async function startHlsServer(): Promise<HlsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'fullhouse-hls-'));
  const inputs = ['-re', '-f', 'lavfi', '-i', picture, '-re', '-f', 'lavfi', '-i', 'sine=frequency=440'];
  const video = ['-c:v', 'libx264', '-profile:v', 'baseline', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const segments = ['-f', 'hls', '-hls_time', '1', '-hls_list_size', '5', '-hls_flags', 'delete_segments'];
  const ffmpeg: ChildProcess = spawn(
    'ffmpeg',
    [
      ...['-loglevel', 'error', ...inputs, ...video, '-g', '25', '-b:v', '300k', '-c:a', 'aac', '-b:a', '64k'],
      ...[...segments, join(folder, 'cam.m3u8')],
    ],
    { stdio: 'ignore' },
  );
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = basename(new URL(request.url ?? '/', 'http://localhost').pathname);
    asked.push(name);
    if (control.refuseWith !== undefined) {
      response.writeHead(control.refuseWith).end('refused by the test');
      return;
    }
    readFile(join(folder, name)).then(
      (body) => response.end(body),
      () => response.writeHead(404).end('no such file'),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The HLS server got no port.');
  const control: HlsServer = {
    url: `http://127.0.0.1:${address.port}/cam.m3u8`,
    asked,
    refuseWith: undefined,
    pause: (isPaused) => void ffmpeg.kill(isPaused ? 'SIGSTOP' : 'SIGCONT'),
    close: async () => {
      if (ffmpeg.exitCode === null) {
        const ended = new Promise((resolve) => ffmpeg.once('exit', resolve));
        ffmpeg.kill('SIGKILL');
        await ended;
      }
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
  return control;
}
