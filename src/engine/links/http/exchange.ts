import { formatCount } from '../../../domain/text/numberFormat';
import type { Agent, IncomingHttpHeaders } from 'node:http';
import type { Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../base/clock';
import { log } from '../../base/log';
import { httpFault, shownAddress } from './httpFaults';
import type { ProxyChoice } from './proxyChoice';
import { proxyRefusal, proxyUnreachable } from './proxyTunnel';
import { startRequest } from './startRequest';
import type { BodyStream } from './httpLink';

export interface Exchange {
  readonly who: string;
  readonly clock: Clock;
  /** Kept-alive connections; without them a new one is opened. */
  readonly agents?: { readonly plain: Agent; readonly secure: SecureAgent };
  readonly acceptSelfSigned: boolean;
  /** Undefined for a direct connection. */
  readonly proxy: ProxyChoice | undefined;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Total timeout of the call, for the message. */
  readonly timeoutMs: number;
  /** Remaining time. */
  readonly leftMs: number;
  readonly maxBytes: number;
  readonly firstBytes: number | undefined;
  readonly stream: BodyStream | undefined;
  readonly signal: AbortSignal | undefined;
  readonly encoding: 'utf8' | 'latin1';
  /** Functions that abort the active requests. */
  readonly activeRequests: Set<(error: FullhouseError) => void>;
  /** Receives when the certificate of a new connection expires, Unix ms. */
  readonly certificate?: (expiresMs: number) => void;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The proxy that may have answered instead of the server. */
  readonly through?: string;
}

/** A kept-alive connection was closed before any response: an idempotent request may be repeated. */
export class StaleConnection extends FullhouseError {}

/** One request and its response. Rejects with a `FullhouseError`. */
export function exchange(options: Exchange): Promise<RawResponse> {
  const { who, clock, agents, url, proxy, maxBytes, firstBytes, stream, signal, activeRequests } = options;
  const fault = (code: string, sentence: string): FullhouseError => new FullhouseError(code, `${who}: ${sentence}.`);
  return new Promise((resolve, reject) => {
    let hasResponse = false;
    let ending: FullhouseError | undefined;
    const request = startRequest(url, {
      who,
      proxy,
      agents,
      method: options.method,
      acceptSelfSigned: options.acceptSelfSigned,
      headers: {
        ...(options.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(options.body)) }),
        ...options.headers,
      },
    });
    const settled = (): void => {
      cancelLimit();
      signal?.removeEventListener('abort', abort);
      activeRequests.delete(end);
    };
    const isPlainByProxy = proxy !== undefined && url.protocol === 'http:';
    const fail = (error: NodeJS.ErrnoException): void => {
      settled();
      log.debug(`${who}: ${options.method} ${shownAddress(url)} failed: ${(ending ?? error).message}`);
      const { code } = error;
      if (ending) reject(ending);
      else if (isPlainByProxy && /^(?:connect|getaddrinfo)$/.test(error.syscall ?? ''))
        reject(proxyUnreachable(who, proxy, error));
      else if (!hasResponse && request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE'))
        reject(new StaleConnection('closed', httpFault(who, url, error, false).message, { cause: error }));
      else reject(httpFault(who, url, error, hasResponse));
    };
    // Node's error for a request that is aborted here depends on its progress; the reason is ours in any case.
    const end = (error: FullhouseError): void => {
      ending ??= error;
      request.destroy();
      fail(error);
    };
    const abort = (): void => end(fault('aborted', `the request to ${shownAddress(url)} was cancelled`));
    /** Answers with the bytes received so far, where these are enough. */
    let answerEarly: (() => void) | undefined;
    const cancelLimit = clock.after(Math.max(0, options.leftMs), () => {
      if (answerEarly) return answerEarly();
      end(
        fault(
          'timeout',
          `${shownAddress(url)} did not ${hasResponse ? 'complete its response' : 'respond'} within ${options.timeoutMs / 1000} s`,
        ),
      );
    });
    const tooLong = (): FullhouseError =>
      fault('too-long', `${shownAddress(url)} returned more than ${formatCount(maxBytes)} bytes; check the address`);
    activeRequests.add(end);
    signal?.addEventListener('abort', abort);

    request.on('error', fail);
    request.on('response', (response) => {
      hasResponse = true;
      const expiresMs = request.reusedSocket ? undefined : certificateEnd(response.socket);
      if (expiresMs !== undefined) options.certificate?.(expiresMs);
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('error', fail);
      const status = response.statusCode ?? 0;
      if (isPlainByProxy && status === 407) return end(proxyRefusal(who, proxy, shownAddress(url), status));
      // A redirect may be followed: the body of its target is what is streamed.
      const body = status >= 300 && status < 400 ? undefined : stream;
      if (body) {
        cancelLimit();
        body.begin(status);
      }
      const answer = (): void => {
        settled();
        resolve({
          status,
          headers: response.headers,
          ...(isPlainByProxy && { through: proxy.name }),
          body: Buffer.concat(chunks).toString(options.encoding),
        });
      };
      response.on('data', (chunk: Buffer) => {
        if (body) return body.data(chunk);
        bytes += chunk.length;
        if (bytes > maxBytes) return end(tooLong());
        chunks.push(chunk);
        if (firstBytes === undefined) return;
        answerEarly = () => {
          answer();
          request.destroy();
        };
        if (bytes >= firstBytes) answerEarly();
      });
      response.on('end', answer);
    });
    if (signal?.aborted) abort();
    else request.end(options.body);
  });
}

/** When the certificate of a connection expires, Unix ms; undefined without TLS. */
function certificateEnd(socket: Socket): number | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  // An empty object where there is none.
  const { valid_to: text } = socket.getPeerCertificate() as { readonly valid_to?: string };
  const expiresMs = text === undefined ? NaN : Date.parse(text);
  return Number.isFinite(expiresMs) ? expiresMs : undefined;
}
