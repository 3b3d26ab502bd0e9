import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export interface StreamServer {
  /** `http://HOST:PORT` */
  readonly url: string;
  readonly viewers: () => number;
  close(): Promise<void>;
}

const inputs = ['-re', '-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=25', '-re', '-f', 'lavfi', '-i', 'sine'];
const h264 = ['-c:v', 'libx264', '-profile:v', 'baseline', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25'];
const formats: Readonly<Record<string, { readonly type: string; readonly args: readonly string[] }>> = {
  '/cam.flv': { type: 'video/x-flv', args: [...h264, '-b:v', '300k', '-c:a', 'aac', '-f', 'flv'] },
  '/cam.mjpeg': {
    type: 'multipart/x-mixed-replace;boundary=ffmpeg',
    args: ['-an', '-c:v', 'mjpeg', '-q:v', '6', '-f', 'mpjpeg'],
  },
};

/** Streams of ffmpeg over HTTP and WebSocket: FLV and MJPEG, an encoder for each viewer. */
export async function startStreamServer(): Promise<StreamServer> {
  const encoders = new Set<ChildProcess>();
  const encode = (args: readonly string[], write: (chunk: Buffer) => void): ChildProcess => {
    const ffmpeg = spawn('ffmpeg', ['-loglevel', 'error', '-nostdin', ...inputs, ...args, 'pipe:1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    encoders.add(ffmpeg);
    ffmpeg.stdout?.on('data', write);
    ffmpeg.on('close', () => encoders.delete(ffmpeg));
    return ffmpeg;
  };
  const server = createServer((request, response) => {
    const format = formats[request.url ?? ''];
    if (!format) return void response.writeHead(404).end('no such stream');
    response.writeHead(200, { 'Content-Type': format.type });
    const encoder = encode(format.args, (chunk) => response.write(chunk));
    response.on('close', () => encoder.kill('SIGKILL'));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    const encoder = encode(formats['/cam.flv']?.args ?? [], (chunk) => socket.send(chunk));
    socket.on('close', () => encoder.kill('SIGKILL'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    viewers: () => encoders.size,
    close: async () => {
      for (const encoder of encoders) encoder.kill('SIGKILL');
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
