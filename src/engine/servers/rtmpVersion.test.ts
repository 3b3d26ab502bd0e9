import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../base/clock';
import { openHttpLink } from '../links/http/openHttpLink';
import { builtInRules } from './families';
import { familyFromFile } from './fromFile';
import { rtmpVersion } from './rtmpVersion';

let server: Server | undefined;
afterEach(() => server?.close());

const received: Buffer[] = [];

/** The beginning of `_result` in a chunk: the command's name, its number, an object with `fmsVer`. */
function result(fmsVer: string): Buffer {
  const name = Buffer.from([0, fmsVer.length, ...Buffer.from(fmsVer)]);
  const payload = Buffer.concat([
    Buffer.from([
      2,
      0,
      7,
      ...Buffer.from('_result'),
      0,
      0x3f,
      0xf0,
      0,
      0,
      0,
      0,
      0,
      0,
      3,
      0,
      6,
      ...Buffer.from('fmsVer'),
      2,
    ]),
    name,
    Buffer.from([0, 0, 9]),
  ]);
  return Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 0, payload.length, 20, 0, 0, 0, 0]), payload]);
}

/** A server with RTMP's handshake that answers `connect` in two parts. */
async function serve(answer: (socket: Socket) => void): Promise<number> {
  const listening = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    let isGreeted = false;
    socket.on('error', () => undefined);
    socket.on('data', (data: Buffer) => {
      bytes = Buffer.concat([bytes, data]);
      if (!isGreeted && bytes.length >= 1537) {
        isGreeted = true;
        socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(1536, 7), bytes.subarray(1, 1537)]));
      }
      if (isGreeted && bytes.includes('connect') && bytes.length > 3073) {
        received.push(bytes.subarray(1537));
        answer(socket);
      }
    });
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return (listening.address() as AddressInfo).port;
}

const inTwo = (bytes: Buffer) => (socket: Socket) => {
  socket.write(bytes.subarray(0, 40));
  setTimeout(() => socket.write(bytes.subarray(40)), 20);
};

it('is what the server names itself, after the echo of its handshake and a command', async () => {
  const port = await serve(inTwo(result('RED5/2,0,40,0')));
  expect(await rtmpVersion('127.0.0.1', port, 'live', systemClock, 2000)).toBe('RED5/2,0,40,0');
  const [sent = Buffer.alloc(0)] = received;
  expect(sent.subarray(0, 1536)).toEqual(Buffer.alloc(1536, 7));
  expect(sent.includes(`rtmp://127.0.0.1:${port}/live`)).toBe(true);
});

it('is unknown where a server closes the connection, or does not speak RTMP', async () => {
  const port = await serve((socket) => socket.end());
  expect(await rtmpVersion('127.0.0.1', port, 'live', systemClock, 2000)).toBeUndefined();
});

it('recognises a family, at an address of a stream and at a port', async () => {
  const port = await serve(inTwo(result('RED5/2,0,40,0')));
  const http = openHttpLink({ who: 'probe' });
  const { look } = familyFromFile(
    { ...builtInRules('red5'), ports: { web: port + 1, rtmp: port } },
    { server: 'red5' },
  );
  const target = { host: '127.0.0.1', secrets: {}, http, clock: systemClock };
  const url = new URL(`rtmp://127.0.0.1:${port}/live/cam`);
  expect(await look({ ...target, url })).toMatchObject({ software: 'Red5 2', stream: 'cam' });
  expect(await look({ ...target, port })).toMatchObject({ software: 'Red5 2' });
  http.close();
});
