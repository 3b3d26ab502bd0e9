import { FullhouseError } from '../../contract/calls';
import type { StreamView } from '../../domain/model/node';
import { everyInterval, type Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { log } from '../base/log';
import type { PolledServer, ServerAdapter, ServerSample } from './adapter';
import { errorText } from '../../domain/text/errorText';

export interface PolledAdapterOptions {
  readonly clock: Clock;
  /** The node's name, for messages. */
  readonly who: string;
  /** Poll interval; default 1,000. */
  readonly everyMs?: number;
}

/**
 * Makes an adapter of a polled server. It polls at fixed times (full seconds by default) while its samples have
 * listeners. A poll is skipped while the previous one is pending, so requests never pile up.
 */
export function polledAdapter(server: PolledServer, options: PolledAdapterOptions): ServerAdapter {
  const { clock, who, everyMs = 1000 } = options;
  const samples = new Emitter<ServerSample>();
  const problems = new Emitter<string | undefined>();
  let problem: string | undefined;
  let streams: readonly StreamView[] | undefined;
  let isClosed = false;
  let isPolling = false;
  let listeners = 0;
  let cancel: (() => void) | undefined;

  const report = (sentence: string | undefined): void => {
    if (sentence === problem) return;
    log.info(sentence ?? `${who} responds again.`);
    problem = sentence;
    problems.emit(sentence);
  };
  const tick = async (): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    const requestedMs = clock.now();
    // The wall clock may be adjusted meanwhile; durations must not depend on it.
    const startMs = clock.monotonic();
    try {
      const answer = await server.poll();
      const responseMs = clock.monotonic() - startMs;
      if (isClosed) return;
      streams = answer.streams;
      // The server read its figures some time between request and response.
      samples.emit({
        timeMs: Math.round((requestedMs + clock.now()) / 2),
        values: { ...answer.values, originResponseMs: responseMs },
        streams: answer.streams,
        responseMs,
      });
      report(undefined);
    } catch (error) {
      streams = undefined;
      if (!isClosed) report(sentenceOf(error, who));
    } finally {
      isPolling = false;
    }
  };
  const stopTimer = (): void => {
    cancel?.();
    cancel = undefined;
  };

  return {
    family: server.family,
    // Some capabilities are known only after the first response.
    get capabilities() {
      return server.capabilities;
    },
    generatesStreams: false,
    identify: () => server.identify(),
    onSample: (listener) => {
      const off = samples.on(listener);
      listeners += 1;
      if (!cancel && !isClosed) cancel = everyInterval(clock, everyMs, () => void tick());
      let isOff = false;
      return () => {
        if (isOff) return;
        isOff = true;
        off();
        listeners -= 1;
        if (listeners === 0) stopTimer();
      };
    },
    onProblem: (listener) => problems.on(listener),
    streams: async () => (cancel && streams) || (await server.poll()).streams,
    addresses: (stream) => server.addresses(stream),
    publishSample: () => notPossible(`${who} can't generate a stream; publish one to it.`),
    // What a polled server has of its own are streams that it pulls.
    unpublish: (stream) =>
      (server.capture && server.terminate?.(stream)) ??
      notPossible(`${who} generates no streams that could be stopped.`),
    terminate: (stream) => server.terminate?.(stream) ?? notPossible(`Streams of ${who} can't be ended remotely.`),
    ...(server.capture ? { capture: server.capture } : {}),
    ...(server.signal ? { signal: server.signal } : {}),
    close: () => {
      isClosed = true;
      stopTimer();
      server.close?.();
    },
  };
}

function notPossible(sentence: string): Promise<never> {
  return Promise.reject(new FullhouseError('not-possible', sentence));
}

function sentenceOf(error: unknown, who: string): string {
  if (error instanceof FullhouseError) return error.message;
  return `${who} can't be read: ${errorText(error)}.`;
}
