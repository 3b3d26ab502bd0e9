import { FullhouseError } from '../../../contract/calls';
import type { HttpLink } from '../../links/http/httpLink';
import { readName } from './streamName';

/** nginx-rtmp's control module. It returns the number of connections it dropped. */
export interface ControlModule {
  /** Whether it responds, by a request to drop a client of a stream that does not exist. */
  answers(): Promise<boolean>;
  dropPublisher(stream: string): Promise<void>;
  /** Drops the viewers of a stream, or of one address only; resolves with their number. */
  dropViewers(stream: string, address?: string): Promise<number>;
}

/** It takes names from the query without decoding, so it can't receive names with these characters. */
const takenAsIs = /^[A-Za-z0-9_.~!$'()*,;:@/-]+$/;

export function controlModule(http: HttpLink, who: string, base: string): ControlModule {
  const drop = (what: string, query: string, timeoutMs?: number): ReturnType<HttpLink['request']> =>
    http.request({ url: `${base.replace(/\/$/, '')}/drop/${what}?${query}`, timeoutMs });
  const dropIn = async (what: string, stream: string, more = ''): Promise<number> => {
    const { app, stream: name, server } = readName(stream);
    if (!takenAsIs.test(app) || !takenAsIs.test(name))
      throw new FullhouseError(
        'not-possible',
        `${who}: nginx-rtmp's control module can't handle names with spaces, "&", "%" or non-ASCII letters, so ${stream} can't be ended remotely.`,
      );
    const { status, body } = await drop(what, `srv=${server}&app=${app}&name=${name}${more}`);
    if (status === 200 && /^\d+\s*$/.test(body)) return Number(body);
    throw new FullhouseError(
      `http-${status}`,
      `${who}: nginx-rtmp's control module refused the request (HTTP ${status} at ${new URL(base).pathname}); add "rtmp_control all" to that location.`,
    );
  };
  return {
    answers: () =>
      drop('publisher', 'app=fullhouse-look&name=fullhouse-look', 1500).then(
        ({ status, body }) => status === 200 && /^\d+\s*$/.test(body),
        () => false,
      ),
    dropPublisher: async (stream) => {
      if ((await dropIn('publisher', stream)) === 0)
        throw new FullhouseError('no-such-stream', `${who}: ${stream} has no publisher.`);
    },
    dropViewers: (stream, address) => dropIn('subscriber', stream, address === undefined ? '' : `&addr=${address}`),
  };
}
