import type { StreamView } from '../../../domain/model/node';

/** The rows of the last response; the first one is at `offset` of the full list. */
export interface LoadedStreams {
  readonly offset: number;
  readonly streams: readonly StreamView[];
}

/** The chosen row: by its stream, independent of the order, and its last position. */
export interface Chosen {
  readonly index: number;
  /** Unknown while the row is loading. */
  readonly stream?: string;
}

/** The chosen row after a response: at its new position, named once known, removed with its stream. */
export function keepSelection(chosen: Chosen | undefined, held: LoadedStreams, matching: number): Chosen | undefined {
  if (!chosen) return undefined;
  if (chosen.stream === undefined) return { ...chosen, stream: held.streams[chosen.index - held.offset]?.stream };
  const at = held.streams.findIndex(({ stream }) => stream === chosen.stream);
  if (at >= 0) return { index: held.offset + at, stream: chosen.stream };
  return held.streams.length === matching ? undefined : chosen;
}

/** The rows in their previous order with new figures. */
export function inPlace(old: readonly StreamView[], answer: readonly StreamView[]): readonly StreamView[] {
  const now = new Map(answer.map((stream) => [stream.stream, stream]));
  return old.map((stream) => now.get(stream.stream) ?? stream);
}
