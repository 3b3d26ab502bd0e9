import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol } from 'electron';

/**
 * The window's page has its own scheme instead of `file:`: it has an origin and response headers, and can load only the
 * bundled page.
 */
const scheme = 'app';
const host = 'fullhouse';
export const pageUrl = `${scheme}://${host}/index.html`;

/**
 * True for the app's own page, with any path or fragment. `URL.origin` is "null" for custom schemes, so it can't be
 * used here.
 */
export function isOwnPage(url: string): boolean {
  try {
    const parsed = new URL(url);
    return parsed.protocol === `${scheme}:` && parsed.host === host;
  } catch {
    return false;
  }
}

/** Everything comes from the bundle and nothing is sent: the page opens no connection but media. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob: mediastream:",
  "font-src 'self'",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** File path of a page address; undefined when it is outside of the folder or of an unknown type. */
export function fileOf(folder: string, url: string): { path: string; mimeType: string } | undefined {
  if (!isOwnPage(url)) return undefined;
  const path = normalize(join(folder, decodeURIComponent(new URL(url).pathname)));
  const mimeType = mimeTypes[extname(path)];
  return mimeType && path.startsWith(folder + sep) ? { path, mimeType } : undefined;
}

/** To be called before the app is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true } }]);
}

/** Serves the bundled page from `folder`. */
export function servePage(folder: string): void {
  const answer = async (url: string): Promise<{ status: number; mimeType: string; body: Buffer }> => {
    const file = fileOf(folder, url);
    if (!file) return { status: 404, mimeType: 'text/plain', body: Buffer.from('File not found.') };
    try {
      return { status: 200, mimeType: file.mimeType, body: await readFile(file.path) };
    } catch (error) {
      console.error(`The page's file ${file.path} could not be read: ${String(error)}`);
      return { status: 404, mimeType: 'text/plain', body: Buffer.from('File not found.') };
    }
  };
  const headers = (mimeType: string): Record<string, string> => ({
    'Content-Type': mimeType,
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
  });

  // Electron 22 has only the older API for schemes; it is removed in later versions.
  if ('handle' in protocol) {
    protocol.handle(scheme, async (request) => {
      const { status, mimeType, body } = await answer(request.url);
      return new Response(new Uint8Array(body), { status, headers: headers(mimeType) });
    });
    return;
  }
  const older: Electron.Protocol = protocol;
  older.registerBufferProtocol(scheme, (request, reply) => {
    void answer(request.url).then(({ status, mimeType, body }) =>
      reply({
        statusCode: status,
        data: body,
        headers: headers(mimeType),
        mimeType: mimeType.split(';')[0] ?? mimeType,
      }),
    );
  });
}
