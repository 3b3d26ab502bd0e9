import { request as plainRequest, type Agent, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { request as secureRequest, type Agent as SecureAgent } from 'node:https';
import { FullhouseError } from '../../../contract/calls';
import { httpFault, shownAddress } from './httpFaults';

export interface Exchange {
  readonly who: string;
  readonly agents: { readonly plain: Agent; readonly secure: SecureAgent };
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whole time that the call may take, for the sentence, and what is left of it. */
  readonly timeoutMs: number;
  readonly leftMs: number;
  readonly mostBytes: number;
  readonly signal: AbortSignal | undefined;
  /** Hears of the request, to be able to end it. */
  readonly onRequest: (request: ClientRequest) => void;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A kept-alive connection turned out to be closed before anything was answered: safe to ask again. */
export class StaleConnection extends Error {}

/** One request and its answer. Rejects with `StaleConnection` or a `FullhouseError`. */
export function exchange(options: Exchange): Promise<RawAnswer> {
  const { who, url, mostBytes, signal } = options;
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    let begun = false;
    const fault = (code: string, sentence: string): FullhouseError =>
      new FullhouseError(code, `${who}: ${sentence}.`);
    const common = {
      method: options.method,
      headers: {
        ...(options.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(options.body)) }),
        ...options.headers,
      },
    };
    const request = isSecure
      ? secureRequest(url, { ...common, agent: options.agents.secure })
      : plainRequest(url, { ...common, agent: options.agents.plain });
    const timer = setTimeout(
      () =>
        request.destroy(
          fault(
            'timeout',
            `${shownAddress(url)} ${begun ? 'does not finish its answer' : 'does not answer'} within ${options.timeoutMs / 1000} s`,
          ),
        ),
      Math.max(0, options.leftMs),
    );
    const abort = (): void => {
      request.destroy(fault('aborted', `the request to ${shownAddress(url)} was called off`));
    };
    const settled = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const fail = (error: Error): void => {
      settled();
      const { code } = error as NodeJS.ErrnoException;
      if (!begun && request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE'))
        reject(new StaleConnection(error.message));
      else reject(httpFault(who, url, error, begun));
    };
    const tooLong = (): FullhouseError =>
      fault(
        'too-long',
        `${shownAddress(url)} answers with more than ${Math.round(mostBytes / 1000).toLocaleString('en')} kB, which can't be what was asked for`,
      );
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();

    request.on('error', fail);
    request.on('response', (response) => {
      begun = true;
      if (Number(response.headers['content-length'] ?? 0) > mostBytes && options.method !== 'HEAD') {
        request.destroy(tooLong());
        return;
      }
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostBytes) request.destroy(tooLong());
        else chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => {
        settled();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    options.onRequest(request);
    request.end(options.body);
  });
}
