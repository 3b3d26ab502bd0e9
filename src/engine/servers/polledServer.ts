import { performance } from 'node:perf_hooks';
import { FullhouseError } from '../../contract/calls';
import type { StreamView } from '../../domain/node';
import { everyInterval, type Clock } from '../clock';
import { Emitter } from '../emitter';
import type { PolledServer, ServerAdapter, ServerSample } from './adapter';

export interface PolledAdapterOptions {
  readonly clock: Clock;
  /** The node's name, for sentences. */
  readonly who: string;
  /** Time between two beats; default 1,000. */
  readonly everyMs?: number;
}

/**
 * Makes an adapter of a server that has to be asked. It is asked on the beat (full seconds by default) while somebody listens
 * to its samples; an answer that takes longer than a beat leaves that beat out, so questions never pile up.
 */
export function polledAdapter(server: PolledServer, options: PolledAdapterOptions): ServerAdapter {
  const { clock, who, everyMs = 1000 } = options;
  const samples = new Emitter<ServerSample>();
  const problems = new Emitter<string | undefined>();
  let problem: string | undefined;
  let streams: readonly StreamView[] | undefined;
  let isClosed = false;
  let isAsking = false;
  let listeners = 0;
  let cancel: (() => void) | undefined;

  const tell = (sentence: string | undefined): void => {
    if (sentence === problem) return;
    problem = sentence;
    problems.emit(sentence);
  };
  const beat = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const askedMs = clock.now();
    // The wall clock may be set meanwhile; how long an answer took must not depend on that.
    const startMs = performance.now();
    try {
      const answer = await server.poll();
      const answerMs = performance.now() - startMs;
      if (isClosed) return;
      streams = answer.streams;
      // The server looked at its figures somewhere between question and answer.
      samples.emit({
        timeMs: Math.round((askedMs + clock.now()) / 2),
        values: { ...answer.values, originAnswerMs: answerMs },
        streams: answer.streams,
        answerMs,
      });
      tell(undefined);
    } catch (error) {
      streams = undefined;
      if (!isClosed) tell(sentenceOf(error, who));
    } finally {
      isAsking = false;
    }
  };
  const rest = (): void => {
    cancel?.();
    cancel = undefined;
  };

  return {
    family: server.family,
    // What a server can do may show only once it has answered.
    get capabilities() {
      return server.capabilities;
    },
    makesSamples: false,
    identify: () => server.identify(),
    onSample: (listener) => {
      const off = samples.on(listener);
      listeners += 1;
      if (!cancel && !isClosed) cancel = everyInterval(clock, everyMs, () => void beat());
      let isOff = false;
      return () => {
        if (isOff) return;
        isOff = true;
        off();
        listeners -= 1;
        if (listeners === 0) rest();
      };
    },
    onProblem: (listener) => problems.on(listener),
    streams: async () => (cancel && streams) || (await server.poll()).streams,
    addresses: (stream) => server.addresses(stream),
    publishSample: () => notPossible(`${who} can't make a stream of its own; publish one to it.`),
    unpublish: () => notPossible(`${who} makes no streams of its own that could be ended.`),
    terminate: (stream) =>
      server.terminate?.(stream) ?? notPossible(`Streams of ${who} can't be ended from here.`),
    ...(server.signal ? { signal: server.signal } : {}),
    close: () => {
      isClosed = true;
      rest();
      server.close?.();
    },
  };
}

function notPossible(sentence: string): Promise<never> {
  return Promise.reject(new FullhouseError('not-possible', sentence));
}

function sentenceOf(error: unknown, who: string): string {
  if (error instanceof FullhouseError) return error.message;
  return `${who} can't be read: ${error instanceof Error ? error.message : String(error)}.`;
}
