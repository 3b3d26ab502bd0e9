import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';

export interface HttpRequest {
  /** Default GET. Only GET and HEAD are tried again, once, when a kept-alive connection turns out to be closed. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS';
  /** Absolute, or relative to the link's base. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the call to the last byte of the answer; default 5,000. */
  readonly timeoutMs?: number;
  /** A longer answer is an error; default 8,000,000. */
  readonly mostBytes?: number;
  /** Resolves as soon as so much of the body has come, and asks for no more: for answers that never end, such as HTTP-FLV. */
  readonly firstBytes?: number;
  readonly signal?: AbortSignal;
  /** How the answer's bytes become `body`; `latin1` keeps each byte as one character. Default utf8. */
  readonly encoding?: 'utf8' | 'latin1';
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** From the call to the last byte of the answer. */
  readonly tookMs: number;
}

export interface HttpLinkOptions {
  /** For sentences: the node's name. */
  readonly who: string;
  readonly base?: string;
  /** Certificates are not checked; a person has said so for this node. */
  readonly acceptSelfSigned?: boolean;
  /** Redirects may lead to another origin; a person has said so for this node. */
  readonly allowCrossOrigin?: boolean;
  readonly basic?: { readonly user: string; readonly password: string };
}

/**
 * HTTP to one node. Rejects with a `FullhouseError` only when there is no HTTP answer at all, with one sentence that names
 * the node, the address and what to do; codes: `refused`, `no-such-host`, `unreachable`, `timeout`, `tls` (the sentence explains
 * the certificate's fault and names the switch), `too-long`, `closed` (by the server, before its answer was whole), `aborted`
 * (here), `not-http`, `bad-address`. Any status is an answer. GET and HEAD follow up to three redirects within their origin; a redirect that is
 * not followed is the answer. Credentials go to the base's own host only.
 */
export interface HttpLink {
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** A 2xx answer read as JSON and checked; rejects with `http-STATUS`, `not-json` (says what came instead: HTML, half a JSON …) or `bad-answer`. */
  json<T>(request: HttpRequest, schema: z.ZodType<T>): Promise<T>;
  /** A 2xx answer as text; rejects with `http-STATUS`. */
  text(request: HttpRequest): Promise<string>;
  /** Ends kept-alive connections and requests under way. */
  close(): void;
}
