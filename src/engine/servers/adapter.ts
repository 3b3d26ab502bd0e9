import type { StreamView } from '../../domain/node';
import type { SeriesId } from '../../domain/series';

/** What a server says of itself at one moment. Figures it does not know are absent. */
export interface ServerSample {
  readonly timeMs: number;
  readonly values: Partial<Record<SeriesId, number>>;
  readonly streams: readonly StreamView[];
}

/** What can be done with a server of this family. */
export interface ServerCapabilities {
  /** The server can be told to make a stream of its own. */
  readonly publishSample: boolean;
  /** Protocols that testers may pull by. */
  readonly pull: ReadonlyArray<'whep'>;
  /** The app may publish to it. */
  readonly whip: boolean;
  /** The control player may play from it. */
  readonly whep: boolean;
}

/** One server under test, whatever its family. All errors are `FullhouseError`s with a sentence. */
export interface ServerAdapter {
  readonly capabilities: ServerCapabilities;
  /** Name and version, e.g. `lab 0.1.0`; rejects when the server does not answer. */
  probe(): Promise<{ readonly software: string }>;
  /** The server's samples as they come; the returned function ends that. */
  onSample(listener: (sample: ServerSample) => void): () => void;
  /** What happened on the server by its own word. */
  onEvent(
    listener: (event: {
      readonly timeMs: number;
      readonly stream?: string;
      readonly sentence: string;
    }) => void,
  ): () => void;
  /** The streams that it serves now. */
  streams(): Promise<StreamView[]>;
  publishSample(stream: string, sample: 'sample-240p'): Promise<void>;
  /** Ends a stream that the server makes itself. */
  unpublish(stream: string): Promise<void>;
  whepUrl(stream: string): string;
  whipUrl(stream: string): string;
}
