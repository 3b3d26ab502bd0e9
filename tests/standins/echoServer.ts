import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A server that refuses every request and quotes it in full in its response, like proxies and debug
 * pages: address and headers unchanged, URL-encoded, and in base64.
 */
export async function startEchoServer(): Promise<{
  readonly port: number;
  readonly asked: readonly string[];
  readonly close: () => void;
}> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const { authorization = '' } = headers;
    const login = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();
    asked.push(`${method} ${url} ${login}`);
    request.resume();
    const token = new URL(url, 'http://localhost').searchParams;
    const forms = [...token.values(), login.split(':')[1] ?? ''].filter((each) => each !== '');
    const quoted = forms.map((form) => `${form} ${encodeURIComponent(form)} ${Buffer.from(form).toString('base64')}`);
    const kinds = [quoted.join(' '), `${url} ${authorization}`, JSON.stringify({ url, authorization })];
    response.writeHead(401, { 'Content-Type': 'text/plain', 'X-Request': encodeURI(url) });
    response.end(`refused: ${kinds[asked.length % kinds.length] ?? ''}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, asked, close: () => void server.close() };
}
