import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName } from '../../../contract/engine';
import type { PublishMedia } from '../../../domain/model/publishMedia';
import { errorText } from '../../../domain/text/errorText';
import { publisherFigures, type PublisherFigures, type PublisherReading } from './publisherStats';
import type { PublishSource } from './publishSources';

const secondMs = 1000;

export interface PublishTarget {
  readonly node: string;
  readonly stream: string;
}

export interface PublishListener {
  /** Once a second while publishing. */
  figures(figures: PublisherFigures): void;
  /** Ended; `sentence` gives the reason unless `end` was called. */
  ended(sentence: string | undefined): void;
}

export type PublishEngine = Pick<EngineClient<EngineCallName>, 'call' | 'on'>;

/** What to publish where, and who is told. */
export interface PublishOrder {
  readonly engine: PublishEngine;
  readonly target: PublishTarget;
  readonly source: PublishSource;
  readonly media: PublishMedia;
  readonly listener: PublishListener;
}

/** One publication of this window, until it is ended, or the source or the server ends it. */
export abstract class PublishSession {
  /** Its job in the engine. */
  readonly job: string;
  /** What of the settings the server did not accept, as a sentence. */
  readonly remark: string | undefined;
  #session: string | undefined;
  #reading: PublisherReading | undefined;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #unsubscribe: () => void;

  protected constructor(
    protected readonly order: PublishOrder,
    opened: { readonly session: string; readonly job: string; readonly remark?: string | undefined },
  ) {
    const { engine, source } = order;
    this.#session = opened.session;
    this.job = opened.job;
    this.remark = opened.remark;
    this.#timer = setInterval(() => void this.#second(), secondMs);
    this.#unsubscribe = engine.on('sessionEnded', ({ session, sentence }) => {
      if (session === this.#session) this.lost(sentence);
    });
    for (const track of source.stream.getTracks())
      track.addEventListener('ended', () => this.lost(`The ${source.kind} stopped.`));
  }

  /** The session with the engine; undefined when it has ended. */
  protected get session(): string | undefined {
    return this.#session;
  }

  /** Counters so far; undefined where there are none yet. */
  protected abstract read(): Promise<PublisherReading | undefined>;

  /** Closes the media connection, and ends the session on the server. */
  protected abstract close(session: string): Promise<void>;

  /** Stops publishing; rejects with a sentence when the server does not end it. Safe to call twice. */
  async end(sentence?: string): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    this.#session = undefined;
    this.#unsubscribe();
    clearInterval(this.#timer);
    this.order.source.stop();
    this.order.listener.ended(sentence);
    await this.close(session);
  }

  /** Ends it for this reason. The session may remain on a server that does not answer; its end was reported already. */
  protected lost(sentence: string): void {
    this.end(sentence).catch((error: unknown) => console.warn(`Ending ${this.job}: ${errorText(error)}`));
  }

  async #second(): Promise<void> {
    try {
      const reading = await this.read();
      if (this.#session === undefined || !reading || reading.timeMs === this.#reading?.timeMs) return;
      const figures = publisherFigures(this.#reading, reading);
      this.#reading = reading;
      this.order.listener.figures(figures);
      const { layers: _, ...sums } = figures;
      await this.order.engine.call('publish.figures', { session: this.#session, figures: sums });
    } catch (error) {
      this.lost(errorText(error));
    }
  }
}
