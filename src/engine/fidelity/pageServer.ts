import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BoundedServer } from '../base/boundedServer';
import { deleteSession, postOffer } from '../servers/signalling';
import script from './page/page.ts?script';
import { playerReport, type BrowserReport } from './playerReport';

const maxBodyBytes = 200_000;

export interface PlayerPage {
  readonly url: string;
  /** Resolves when every player has reported; rejects with the sentence of the first that could not play. */
  readonly reports: Promise<ReadonlyMap<string, BrowserReport>>;
  close(): void;
}

/**
 * Serves a page on loopback, at an address that cannot be guessed, in which a browser plays streams over WHEP, and
 * passes its requests on to the servers.
 */
export async function servePlayers(whepUrls: ReadonlyMap<string, string>, playMs: number): Promise<PlayerPage> {
  const root = `/${randomBytes(24).toString('hex')}/`;
  const nonce = randomBytes(16).toString('base64');
  const sessions = new Map<string, string>();
  const found = new Map<string, BrowserReport>();
  let settle: { resolve: (reports: ReadonlyMap<string, BrowserReport>) => void; reject: (why: Error) => void };
  const reports = new Promise<ReadonlyMap<string, BrowserReport>>((resolve, reject) => {
    settle = { resolve, reject };
  });
  reports.catch(() => undefined); // reported to whoever waits for it

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url = '' } = request;
    if (!isBelow(root, url)) return server.refuse(response, 404);
    server.admit(request);
    const [kind = '', name = ''] = url.slice(root.length).split('/');
    const whepUrl = whepUrls.get(name);
    switch (`${method} ${kind}`) {
      case 'GET ':
        return void response
          .writeHead(200, {
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': `default-src 'none'; script-src 'nonce-${nonce}'; connect-src 'self'; media-src blob: mediastream:`,
          })
          .end(
            `<!doctype html><meta charset="utf-8"><title>Players</title><body><script nonce="${nonce}">${script}</script>`,
          );
      case 'GET task':
        return void response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ players: [...whepUrls.keys()], playMs }));
      case 'POST whep': {
        if (whepUrl === undefined) break;
        const { answerSdp, resourceUrl } = await postOffer(whepUrl, await bodyOf(request));
        sessions.set(name, resourceUrl);
        return void response.writeHead(201, { 'Content-Type': 'application/sdp' }).end(answerSdp);
      }
      case 'DELETE whep':
        await deleteSession(sessions.get(name) ?? '');
        return void response.writeHead(200).end();
      case 'POST report':
        found.set(name, playerReport.parse(JSON.parse(await bodyOf(request))));
        if (found.size === whepUrls.size) settle.resolve(found);
        return void response.writeHead(204).end();
      case 'POST problem':
        settle.reject(new Error(`The browser could not play ${name}: ${(await bodyOf(request)).slice(0, 300)}`));
        return void response.writeHead(204).end();
    }
    response.writeHead(404).end();
  };

  const server: BoundedServer = new BoundedServer({
    name: 'the page of players',
    timeoutMs: 60_000, // an offer waits for the server's answer
    answer: (request, response) =>
      void answer(request, response).catch((error: unknown) => {
        response.writeHead(502, { 'Content-Type': 'text/plain' }).end((error as Error).message);
      }),
  });
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}${root}`,
    reports,
    close: () => void server.close(),
  };
}

/** Whether a path begins with the secret one, in constant time. */
function isBelow(root: string, path: string): boolean {
  const [given, wanted] = [Buffer.from(path.slice(0, root.length)), Buffer.from(root)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) {
    text += String(part);
    if (text.length > maxBodyBytes) throw new Error('The request is too large.');
  }
  return text;
}
