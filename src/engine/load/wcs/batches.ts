import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../clock';
import type { WcsRest } from '../../servers/wcs/wcsRest';
import { Pace } from './pace';

/** How a batch is sent. */
export interface BatchTerms {
  readonly ratePerSecond: number;
  readonly clock: Clock;
  /** Requests under way at once; default 4. */
  readonly mostUnderWay?: number;
  /** Ends the sending; what was begun by then stays until `end`. */
  readonly signal?: AbortSignal;
}

export interface PushTerms extends BatchTerms {
  /** A stream that is published on the server that pushes. */
  readonly localStreamName: string;
  /** WebSocket address of another WCS (`wcs`), or an RTMP address without a stream's name, e.g. `rtmp://origin:1935/live` (`rtmp`). */
  readonly to: string;
  readonly protocol: 'wcs' | 'rtmp';
  /** The copies are called so, with a number from 1 at the end. */
  readonly remoteStreamName: string;
  readonly count: number;
}

/** What came of a batch. */
export interface BatchOutcome {
  /** Names or addresses of those that were taken. */
  readonly begun: readonly string[];
  readonly failures: ReadonlyArray<{
    readonly name: string;
    readonly code: string;
    readonly sentence: string;
  }>;
  /** Ends what this batch began, and nothing else; resolves with those that would not end. */
  end(): Promise<BatchOutcome['failures']>;
}

/** Publishes a stream of one server to another as many times as asked, under names of their own. */
export function pushBatch(rest: WcsRest, terms: PushTerms): Promise<BatchOutcome> {
  const names = Array.from({ length: terms.count }, (_, index) => `${terms.remoteStreamName}${index + 1}`);
  const { localStreamName, to, protocol } = terms;
  const uri = to.replace(/\/+$/, '');
  if (protocol === 'wcs')
    return batch(names, terms, {
      begin: async (remoteStreamName) => {
        const pushed = { uri, localStreamName, remoteStreamName };
        await rest.pull.push(pushed);
        return () => rest.pull.terminate(pushed);
      },
    });
  return batch(names, terms, {
    begin: async (name) => {
      const { mediaSessionId } = await rest.push.startup({
        streamName: localStreamName,
        rtmpUrl: `${uri}/${name}`,
        rtmpTransponderFullUrl: true,
      });
      return () => {
        if (mediaSessionId !== undefined) return rest.push.terminate(mediaSessionId);
        return Promise.reject(
          new FullhouseError('bad-answer', `${rest.who} gave no session for its push ${name}; end it there.`),
        );
      };
    },
  });
}

/** Makes a server take streams from cameras. A camera that it takes already is a failure, and is not ended with the others. */
export function rtspBatch(rest: WcsRest, uris: readonly string[], terms: BatchTerms): Promise<BatchOutcome> {
  return batch(uris, terms, {
    begin: async (uri) => {
      await rest.rtsp.startup(uri);
      return () => rest.rtsp.terminate(uri);
    },
  });
}

async function batch(
  names: readonly string[],
  { ratePerSecond, clock, mostUnderWay = 4, signal }: BatchTerms,
  { begin }: { readonly begin: (name: string) => Promise<() => Promise<void>> },
): Promise<BatchOutcome> {
  const ends = new Map<string, () => Promise<void>>();
  const failures: Array<BatchOutcome['failures'][number]> = [];
  const waiting = [...names];
  const pace = new Pace(ratePerSecond, clock.now());
  const work = async (): Promise<void> => {
    while (waiting.length > 0 && !signal?.aborted) {
      if (pace.available(clock.now()) < 1) {
        await new Promise<void>((resolve) => clock.after(10, resolve));
        continue;
      }
      pace.use(1);
      const name = waiting.shift() ?? '';
      await begin(name).then(
        (end) => void ends.set(name, end),
        (error: unknown) => failures.push(failureOf(name, error)),
      );
    }
  };
  await Promise.all(Array.from({ length: mostUnderWay }, work));
  return {
    begun: names.filter((name) => ends.has(name)),
    failures,
    end: async () => {
      const left: Array<BatchOutcome['failures'][number]> = [];
      for (const [name, end] of [...ends])
        await end().then(
          () => void ends.delete(name),
          (error: unknown) => {
            // Nothing of that name is what was wanted.
            if (error instanceof FullhouseError && error.code === 'http-404') ends.delete(name);
            else left.push(failureOf(name, error));
          },
        );
      return left;
    },
  };
}

function failureOf(name: string, error: unknown): BatchOutcome['failures'][number] {
  if (error instanceof FullhouseError) return { name, code: error.code, sentence: error.message };
  return { name, code: 'internal', sentence: String(error) };
}
