import { eachOf } from '../../base/eachOf';
import { FullhouseError } from '../../../contract/calls';
import type { OnInvalid } from '../../links/http/readResponse';
import type { HttpLink, HttpResponse } from '../../links/http/httpLink';
import { detectFormat } from './statistics/detectFormat';
import { type StatisticsFormat, statisticsFormats, type WcsStatistics } from './statistics/statistics';
import {
  pullObject,
  pushObject,
  rtspObject,
  streamObject,
  type WcsPull,
  type WcsPush,
  type WcsRtsp,
  type WcsStream,
} from './restSchemas';
import { type CallOptions, WcsCalls } from './wcsCalls';

/** A stream between two servers; the one that gets the request is the active side. */
export interface PullParams {
  /** WebSocket address of the other server, or the RTMP address of a stream. */
  readonly uri: string;
  readonly localStreamName: string;
  readonly remoteStreamName: string;
}

/** Filters of `/stream/find`; at least one field, so that it never matches everything by accident. */
export interface StreamFilter {
  readonly mediaSessionId?: string;
  readonly name?: string;
  readonly published?: boolean;
  readonly status?: string;
}

/**
 * WCS's REST API and statistics: one function per method. All reject with a `FullhouseError`: `http-STATUS`,
 * `not-json`, `bad-answer`, and those of the link when nothing responds. A list without matches is empty.
 */
export interface WcsRest {
  /** The node's name, for messages. */
  readonly who: string;
  /** Requests JSON first and falls back to the other formats; a format that worked is kept. */
  statistics(options?: StatisticsOptions): Promise<WcsStatistics>;
  readonly pull: {
    /** Plays the remote stream and republishes it here. Rejects with `http-409` when the local name is taken. */
    pull(terms: PullParams, options?: CallOptions): Promise<void>;
    findAll(options?: CallOptions): Promise<WcsPull[]>;
    terminate(terms: Partial<PullParams> & { readonly localStreamName: string }, options?: CallOptions): Promise<void>;
  };
  readonly rtmpPull: {
    findAll(options?: CallOptions): Promise<WcsPull[]>;
  };
  readonly push: {
    startup(
      terms: {
        readonly streamName: string;
        readonly rtmpUrl: string;
        readonly rtmpTransponderFullUrl?: boolean;
      },
      options?: CallOptions,
    ): Promise<WcsPush>;
    findAll(options?: CallOptions): Promise<WcsPush[]>;
    terminate(mediaSessionId: string, options?: CallOptions): Promise<void>;
  };
  readonly stream: {
    /** With `withMetrics` each stream has its metrics, since build 5.2.923. */
    find(filter: StreamFilter & { readonly withMetrics?: boolean }, options?: CallOptions): Promise<WcsStream[]>;
    /**
     * Ends these sessions, with a request for each, as the vendor's client does: a build that ignores a list of ids
     * might end the streams of everybody. A session that has ended meanwhile is fine.
     */
    terminate(mediaSessionIds: readonly string[], options?: CallOptions): Promise<void>;
  };
  readonly rtsp: {
    /** Pulls a camera; rejects with `http-409` when it is pulled already. */
    startup(uri: string, options?: CallOptions): Promise<void>;
    findAll(options?: CallOptions): Promise<WcsRtsp[]>;
    terminate(uri: string, options?: CallOptions): Promise<void>;
  };
}

const terminatedAtOnce = 4;

/**
 * Accepted forms of the REST address: a bare host, its root, its folder or the statistics page. Throws `bad-address`.
 */
export function restBase(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(/^[a-z]+:\/\//i.test(url) ? url : `http://${url}`);
  } catch (error) {
    throw new FullhouseError('bad-address', `"${url}" is not a WCS address; it is usually http://HOST:8081.`, {
      cause: error,
    });
  }
  const path = parsed.pathname.replace(/\/rest-api(\/.*)?$/, '').replace(/\/+$/, '');
  return `${parsed.origin}${path}`;
}

/** The REST API of the server at `url`, e.g. `http://origin:8081`. */
export function wcsRest({
  http,
  who,
  url,
  remark,
}: {
  readonly http: HttpLink;
  readonly who: string;
  readonly url: string;
  readonly remark?: OnInvalid;
}): WcsRest {
  const base = restBase(url);
  const calls = new WcsCalls(http, who, base, remark);
  const terminateStreams = async (ids: readonly string[], options?: CallOptions): Promise<void> => {
    const waiting = ids.filter((id) => id !== '');
    const isOnly = waiting.length === 1;
    await eachOf(waiting, terminatedAtOnce, (mediaSessionId) =>
      calls.act('/stream/terminate', { mediaSessionId }, options).catch((error: unknown) => {
        if (isOnly || !(error instanceof FullhouseError) || error.code !== 'http-404') throw error;
      }),
    );
  };
  return {
    who,
    statistics: statisticsReader(http, who, base),
    pull: {
      pull: (terms, options) => calls.act('/pull/pull', terms, options),
      findAll: (options) => calls.list('/pull/find_all', undefined, pullObject, options),
      terminate: (terms, options) => calls.act('/pull/terminate', terms, options),
    },
    rtmpPull: {
      findAll: (options) => calls.list('/pull/rtmp/find_all', undefined, pullObject, options),
    },
    push: {
      startup: (terms, options) => calls.object('/push/startup', { options: {}, ...terms }, pushObject, options),
      findAll: (options) => calls.list('/push/find_all', undefined, pushObject, options),
      terminate: (mediaSessionId, options) => calls.act('/push/terminate', { mediaSessionId }, options),
    },
    stream: {
      find: ({ withMetrics, ...filter }, options) =>
        calls.list(
          '/stream/find',
          { ...filter, ...(withMetrics ? { display: ['metrics'] } : {}) },
          streamObject,
          options,
        ),
      terminate: terminateStreams,
    },
    rtsp: {
      startup: (uri, options) => calls.act('/rtsp/startup', { uri }, options),
      findAll: (options) => calls.list('/rtsp/find_all', undefined, rtspObject, options),
      terminate: (uri, options) => calls.act('/rtsp/terminate', { uri }, options),
    },
  };
}

interface StatisticsOptions extends CallOptions {
  /** Only these, e.g. `port_stats`; the text format always has all. */
  readonly groups?: readonly string[];
}

const maxBytes = 4_000_000;

/** Reads the statistics page: JSON first, then the other formats; one that worked is kept. */
function statisticsReader(
  http: HttpLink,
  who: string,
  base: string,
): (options?: StatisticsOptions) => Promise<WcsStatistics> {
  let savedFormat: StatisticsFormat | undefined;
  return async ({ groups, ...options } = {}) => {
    let problem: FullhouseError | undefined;
    for (const format of savedFormat ? [savedFormat] : statisticsFormats) {
      const answer = await http.request({ url: addressOf(base, format, groups), ...options, maxBytes });
      const statistics = answer.status === 200 ? detectFormat(answer.body) : undefined;
      if (statistics && statistics.numbers.size > 0) {
        savedFormat = statistics.format;
        return statistics;
      }
      problem ??= problemOf(who, base, answer);
      // Another format would not help on a page that is not a WCS's, or with an incomplete response.
      if (/^\s*[<{]/.test(answer.body)) break;
    }
    // The server may have been replaced by another version.
    savedFormat = undefined;
    throw problem ?? new FullhouseError('not-statistics', `${who}: its statistics can't be read.`);
  };
}

function addressOf(base: string, format: StatisticsFormat, groups: readonly string[] | undefined): string {
  const wanted = format === 'text' ? '' : `&format=${format}`;
  return `${base}/?action=stat${wanted}${groups && wanted ? `&groups=${groups.join(',')}` : ''}`;
}

function problemOf(who: string, base: string, { status, body }: HttpResponse): FullhouseError {
  const where = `${base}/?action=stat`;
  if (status !== 200)
    return new FullhouseError(
      `http-${status}`,
      `${who}: ${where} returned HTTP ${status}; check the address. A WCS usually has it on port 8081.`,
    );
  const what = body.trim() === '' ? 'an empty response' : shapeOf(body);
  return new FullhouseError(
    'not-statistics',
    `${who}: ${where} returned ${what} instead of WCS statistics; check the address, usually port 8081.`,
  );
}

function shapeOf(body: string): string {
  if (/^\s*</.test(body)) return 'a web page';
  return /^\s*\{/.test(body) ? 'incomplete or empty JSON' : 'an unreadable response';
}
