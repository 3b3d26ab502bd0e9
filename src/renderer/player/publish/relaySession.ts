import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName } from '../../../contract/engine';
import { sentenceOf } from '../protocols/peer';
import type { PublishSource } from './publishSources';
import { maxVideoBps, type WhipTarget } from './whipSession';

/** Matroska is what Chromium records H.264 and Opus in while it runs. */
const mimeType = 'video/x-matroska;codecs=avc1,opus';
/** Chromium hands over what it has recorded so often; it is part of the delay. */
const sliceMs = 40;
/** HLS servers cut at keyframes. Chromium before 124 has no such option and sends one every 100 frames. */
const keyframeIntervalMs = 1000;

type Engine = Pick<EngineClient<EngineCallName>, 'call' | 'on'>;

/** One publication from this window that ffmpeg sends over RTMP or SRT, until it is ended or the source stops. */
export class RelaySession {
  /** Its job in the engine. */
  readonly job: string;
  #session: string | undefined;
  readonly #recorder: MediaRecorder;
  readonly #unsubscribe: () => void;
  /** Slices in their order: reading one is asynchronous. */
  #sent: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly engine: Engine,
    private readonly source: PublishSource,
    private readonly ended: (sentence: string | undefined) => void,
    answer: { readonly session: string; readonly job: string },
  ) {
    this.#session = answer.session;
    this.job = answer.job;
    this.#unsubscribe = engine.on('sessionEnded', ({ session, sentence }) => {
      if (session === this.#session) void this.end(sentence);
    });
    const options = { mimeType, videoBitsPerSecond: maxVideoBps, videoKeyFrameIntervalDuration: keyframeIntervalMs };
    this.#recorder = new MediaRecorder(source.stream, options);
    this.#recorder.addEventListener('dataavailable', ({ data }) => this.#send(data));
    this.#recorder.addEventListener('error', () => void this.end(`The ${source.kind} could not be recorded.`));
    for (const track of source.stream.getTracks())
      track.addEventListener('ended', () => void this.end(`The ${source.kind} stopped.`));
    this.#recorder.start(sliceMs);
  }

  /** Publishes a source; on failure the source is stopped and the promise rejects with a sentence. */
  static async start(
    engine: Engine,
    target: WhipTarget,
    source: PublishSource,
    ended: (sentence: string | undefined) => void,
  ): Promise<RelaySession> {
    try {
      if (!MediaRecorder.isTypeSupported(mimeType)) throw new Error("This window can't record H.264.");
      const answer = await engine.call('publish.relay', { ...target, source: source.kind });
      return new RelaySession(engine, source, ended, answer);
    } catch (error) {
      source.stop();
      throw error;
    }
  }

  /** Stops publishing. Safe to call twice. */
  async end(sentence?: string): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    this.#session = undefined;
    this.#unsubscribe();
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
    this.source.stop();
    this.ended(sentence);
    await this.engine.call('signal.end', { session });
  }

  #send(slice: Blob): void {
    this.#sent = this.#sent
      .then(async () => {
        const data = new Uint8Array(await slice.arrayBuffer());
        if (this.#session === undefined || data.length === 0) return;
        await this.engine.call('publish.relayData', { session: this.#session, data });
      })
      .catch((error: unknown) => this.end(sentenceOf(error)));
  }
}
