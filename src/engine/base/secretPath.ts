import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The secret first part of the paths that a server of pages answers. */
export class SecretPath {
  readonly token = randomBytes(24).toString('base64url');

  /** What follows the token in the path of a request; undefined without the right token. */
  nameIn(request: IncomingMessage): string | undefined {
    const [, token = '', name] = /^\/([^/?]*)\/([^?]*)/.exec(request.url ?? '') ?? [];
    const [given, own] = [Buffer.from(token), Buffer.from(this.token)];
    return given.length === own.length && timingSafeEqual(given, own) ? name : undefined;
  }
}

/** A page of another origin could otherwise connect, if it knew the token. */
export function isFromHere({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && host !== undefined && origin === `http://${host}`;
}

/** Headers of a part of a page that needs nothing but what this policy allows. */
export const pageHeaders = (contentType: string, contentSecurityPolicy: string) =>
  ({
    'Content-Type': contentType,
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  }) as const;
