import type { StreamView } from '../../domain/node';

/** The rows of the last answer; the first of them stands at `offset` of the whole list. */
export interface HeldStreams {
  readonly offset: number;
  readonly streams: readonly StreamView[];
}

/** A row that was chosen: by its stream, which the order does not change, and where it was seen last. */
export interface Chosen {
  readonly index: number;
  /** Not known while the row is still being asked for. */
  readonly stream?: string;
}

/** The chosen row after an answer: at its new place, named once it is known, gone when its stream is. */
export function follow(chosen: Chosen | undefined, held: HeldStreams, matching: number): Chosen | undefined {
  if (!chosen) return undefined;
  if (chosen.stream === undefined)
    return { ...chosen, stream: held.streams[chosen.index - held.offset]?.stream };
  const at = held.streams.findIndex(({ stream }) => stream === chosen.stream);
  if (at >= 0) return { index: held.offset + at, stream: chosen.stream };
  return held.streams.length === matching ? undefined : chosen;
}

/** The rows in their old order with their new figures. */
export function inPlace(old: readonly StreamView[], answer: readonly StreamView[]): readonly StreamView[] {
  const now = new Map(answer.map((stream) => [stream.stream, stream]));
  return old.map((stream) => now.get(stream.stream) ?? stream);
}
