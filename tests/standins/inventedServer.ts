import { createServer, type Server } from 'node:http';
import { labStreams } from '../../src/engine/servers/generic/lab';

/** A media server that no adapter knows: the streams of a lab, listed by an API of its own. */
export interface InventedServer {
  readonly port: number;
  /** Requests that it has received, as `METHOD PATH`. */
  readonly requests: readonly string[];
  close(): void;
}

/** Starts it on a free port of loopback; `lab` is the address of a lab whose streams it lists. */
export async function startInventedServer(lab: string): Promise<InventedServer> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.setHeader('Server', 'Roundhouse/3.2');
    const answer = (body: unknown, status = 200): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Basic ${Buffer.from('qa:pass').toString('base64')}`)
      return answer({ reason: 'who are you' }, 401);
    if (request.url !== '/api/now') return answer({ reason: 'no such thing' }, 404);
    fetch(`${lab}/`)
      .then((page) => page.text())
      .then((text) => answer(stateOf(text)))
      .catch(() => answer({ reason: 'no lab' }, 500));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { port, requests, close: () => server.close() };
}

/** Its state: streams by room and name, with a client for each viewer. */
const stateOf = (labPage: string): unknown => ({
  release: '3.2',
  memory_kb: 2048,
  rooms: {
    main: Object.fromEntries(
      labStreams(labPage).map(({ stream, source, viewers = 0, width, height, bitrateKbps }) => [
        stream,
        {
          sender: { label: source },
          clients: Array.from({ length: viewers }, (_, id) => ({ id, kind: 'whep' })),
          picture: [width, height],
          kbps: bitrateKbps,
        },
      ]),
    ),
  },
});
