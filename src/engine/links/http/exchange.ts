import { request as plainRequest, type Agent, type IncomingHttpHeaders } from 'node:http';
import { request as secureRequest, type Agent as SecureAgent } from 'node:https';
import { FullhouseError } from '../../../contract/calls';
import { httpFault, shownAddress } from './httpFaults';

export interface Exchange {
  readonly who: string;
  /** Kept-alive connections; without them a new one is made. */
  readonly agents?: { readonly plain: Agent; readonly secure: SecureAgent };
  readonly acceptSelfSigned: boolean;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whole time that the call may take, for the sentence. */
  readonly timeoutMs: number;
  /** What is left of it. */
  readonly leftMs: number;
  readonly mostBytes: number;
  readonly firstBytes: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly encoding: 'utf8' | 'latin1';
  /** Takes the way to end it early, until it is settled. */
  readonly underWay: Set<(error: FullhouseError) => void>;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A kept-alive connection turned out to be closed before anything was answered: what changes nothing may be asked again. */
export class StaleConnection extends FullhouseError {}

/** One request and its answer. Rejects with a `FullhouseError`. */
export function exchange(options: Exchange): Promise<RawAnswer> {
  const { who, agents, url, mostBytes, firstBytes, signal, underWay } = options;
  const fault = (code: string, sentence: string): FullhouseError =>
    new FullhouseError(code, `${who}: ${sentence}.`);
  return new Promise((resolve, reject) => {
    let begun = false;
    let ending: FullhouseError | undefined;
    const common = {
      method: options.method,
      headers: {
        ...(options.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(options.body)) }),
        ...options.headers,
      },
    };
    const request =
      url.protocol === 'https:'
        ? secureRequest(url, {
            ...common,
            agent: agents?.secure ?? false,
            rejectUnauthorized: !options.acceptSelfSigned,
          })
        : plainRequest(url, { ...common, agent: agents?.plain ?? false });
    const settled = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      underWay.delete(end);
    };
    const fail = (error: Error): void => {
      settled();
      const { code } = error as NodeJS.ErrnoException;
      if (ending) reject(ending);
      else if (!begun && request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE'))
        reject(new StaleConnection('closed', httpFault(who, url, error, false).message, { cause: error }));
      else reject(httpFault(who, url, error, begun));
    };
    // What node reports of a request that is ended here depends on how far it has come; the reason is ours in any case.
    const end = (error: FullhouseError): void => {
      ending ??= error;
      request.destroy();
      fail(error);
    };
    const abort = (): void => end(fault('aborted', `the request to ${shownAddress(url)} was called off`));
    const timer = setTimeout(
      () =>
        end(
          fault(
            'timeout',
            `${shownAddress(url)} does not ${begun ? 'finish its answer' : 'answer'} within ${options.timeoutMs / 1000} s`,
          ),
        ),
      Math.max(0, options.leftMs),
    );
    const tooLong = (): FullhouseError =>
      fault(
        'too-long',
        `${shownAddress(url)} answers with more than ${mostBytes.toLocaleString('en')} bytes, which can't be what was asked for; check the address`,
      );
    underWay.add(end);
    signal?.addEventListener('abort', abort);

    request.on('error', fail);
    request.on('response', (response) => {
      begun = true;
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('error', fail);
      const answer = (): void => {
        settled();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(options.encoding),
        });
      };
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > mostBytes) return end(tooLong());
        chunks.push(chunk);
        if (firstBytes === undefined || bytes < firstBytes) return;
        answer();
        request.destroy();
      });
      response.on('end', answer);
    });
    if (signal?.aborted) abort();
    else request.end(options.body);
  });
}
