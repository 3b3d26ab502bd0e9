import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Clock } from '../../base/clock';

export interface HttpRequest {
  /** Default GET. Only GET and HEAD are repeated, once, when a kept-alive connection turns out to be closed. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  /** Absolute, or relative to the link's base. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the call to the last byte of the response; default 5,000. */
  readonly timeoutMs?: number;
  /** A longer response is an error; default 8,000,000. */
  readonly maxBytes?: number;
  /**
   * Resolves after this many bytes of the body, or with those of an unfinished body after `timeoutMs`, and reads no
   * more: for endless responses such as HTTP-FLV.
   */
  readonly firstBytes?: number;
  /**
   * Receives the body as it arrives, on a connection of its own; the response's `body` is empty. The limits of time and
   * length then apply until the response begins only.
   */
  readonly stream?: BodyStream;
  readonly signal?: AbortSignal;
  /** How the response's bytes become `body`; `latin1` keeps each byte as one character. Default utf8. */
  readonly encoding?: 'utf8' | 'latin1';
}

export interface BodyStream {
  begin(status: number): void;
  data(chunk: Buffer): void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /**
   * The address that responded, without credentials, if redirects were followed: relative addresses in the body refer
   * to it.
   */
  readonly redirectedTo?: string;
  /** The proxy that an address without TLS was requested from: it may have answered instead of the server. */
  readonly through?: string;
  /** The request had a login, a token or a key. */
  readonly hadCredentials?: true;
  /** From the call to the last byte of the response. */
  readonly tookMs: number;
}

export interface HttpLinkOptions {
  /** For messages: the node's name. */
  readonly who: string;
  readonly base?: string;
  /** Certificates are not checked, as configured for this node. */
  readonly acceptSelfSigned?: boolean;
  /** Redirects may lead to another origin, as configured for this node. */
  readonly allowCrossOrigin?: boolean;
  /** An HTTP proxy as configured for this node, or `none`; default: that of the variables. */
  readonly proxy?: string;
  readonly basic?: { readonly user: string; readonly password: string };
  /** Which addresses `basic` is sent to; default: those of the base's host, or all without a base. */
  readonly credentialsFor?: (url: URL) => boolean;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/**
 * HTTP to one node. Rejects with a `FullhouseError` only without any HTTP response, with one sentence that names the
 * node, the address and what to do. Codes: `proxy` (it is unreachable or refuses), `refused`, `no-such-host`, `unreachable`, `timeout`, `tls` (explains the
 * certificate's fault and names the setting), `too-long`, `closed` (by the server, before its response was complete),
 * `aborted` (here), `not-http`, `bad-address`. Any status is a response. GET and HEAD follow up to three redirects
 * within their origin; a redirect that is not followed is the response. Credentials go to the base's own host only (or by `credentialsFor`), and follow no redirect to
 * another origin.
 */
export interface HttpLink {
  /** When the certificate of the latest connection over TLS expires, Unix ms. */
  readonly certificateExpiresMs?: number | undefined;
  request(request: HttpRequest): Promise<HttpResponse>;
  /**
   * A 2xx response parsed as JSON and validated; rejects with `http-STATUS`, `not-json` (names what was received: HTML,
   * incomplete JSON …) or `bad-answer`.
   */
  json<T>(request: HttpRequest, schema: z.ZodType<T>): Promise<T>;
  /** A 2xx response as text; rejects with `http-STATUS`. */
  text(request: HttpRequest): Promise<string>;
  /** Ends kept-alive connections and active requests. */
  close(): void;
}
