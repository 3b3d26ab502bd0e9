import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { stringify } from 'yaml';

/** A static folder of packages on this machine's loopback. */
export interface UpdateServer {
  readonly address: string;
  /** Paths and headers of all requests. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** Publishes a version; `sha512` replaces the hash of the package, `url` its address. */
  publish(version: string, notes: string, wrong?: { readonly sha512?: string; readonly url?: string }): void;
  /** Bytes per second of a package; undefined: as fast as possible. */
  bytesPerSecond: number | undefined;
  /** Redirects requests for this path. */
  readonly redirects: Map<string, string>;
  close(): Promise<void>;
}

const packageBytes = Buffer.alloc(400_000, 'fullhouse');
export const sha512 = (data: Buffer | string): string => createHash('sha512').update(data).digest('base64');

export async function startUpdateServer(): Promise<UpdateServer> {
  const requests: UpdateServer['requests'] = [];
  const redirects = new Map<string, string>();
  let description = '';
  let fileName = '';
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    requests.push({ path: pathname, headers: request.headers });
    const elsewhere = redirects.get(pathname);
    if (elsewhere !== undefined) return response.writeHead(302, { Location: elsewhere }).end();
    if (pathname === '/packages/latest-linux.yml' && description !== '') return response.end(description);
    if (pathname !== `/packages/${fileName}`) return response.writeHead(404).end();
    response.setHeader('Content-Length', packageBytes.length);
    if (own.bytesPerSecond === undefined) return response.end(packageBytes);
    const part = own.bytesPerSecond / 10;
    let sent = 0;
    const timer = setInterval(() => {
      response.write(packageBytes.subarray(sent, sent + part));
      sent += part;
      if (sent >= packageBytes.length) response.end();
      if (sent >= packageBytes.length || response.destroyed) clearInterval(timer);
    }, 100);
    return response.once('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The update server has no port.');
  const own: UpdateServer = {
    address: `http://127.0.0.1:${bound.port}/packages/`,
    requests,
    redirects,
    bytesPerSecond: undefined,
    publish: (version, releaseNotes, wrong = {}) => {
      fileName = `Fullhouse-${version}-linux-${process.arch}.tar.gz`;
      const file = {
        url: wrong.url ?? fileName,
        sha512: wrong.sha512 ?? sha512(packageBytes),
        size: packageBytes.length,
      };
      description = stringify({ version, files: [file], releaseDate: '2026-11-26T00:00:00.000Z', releaseNotes });
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return own;
}
