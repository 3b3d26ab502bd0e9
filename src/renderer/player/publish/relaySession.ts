import type { RelayProtocol } from '../../../domain/model/publishMedia';
import type { CallOutput } from '../../../contract/engine';
import { errorText } from '../../../domain/text/errorText';
import { pictureOf, videoKbps } from './mediaRules';
import type { PublisherReading } from './publisherStats';
import { PublishSession, type PublishOrder } from './publishSession';

/** Matroska is what Chromium records H.264 and Opus in while it runs. */
const mimeType = 'video/x-matroska;codecs=avc1,opus';
const mimeTypeWithoutAudio = 'video/x-matroska;codecs=avc1';
/** Chromium hands over what it has recorded so often; it is part of the delay. */
const sliceMs = 40;
/** HLS servers cut at keyframes. Chromium before 124 has no such option and sends one every 100 frames. */
const keyframeIntervalMs = 1000;
/** ffmpeg reports twice a second. */
const silenceMs = 2000;

/** A publication that ffmpeg on this machine sends over RTMP or SRT. */
export class RelaySession extends PublishSession {
  readonly #recorder: MediaRecorder;
  /** Slices in their order: reading one is asynchronous. */
  #written: Promise<unknown> = Promise.resolve();
  #sent: CallOutput<'publish.relayData'>['sent'];
  /** When its latest report arrived. */
  #sentAtMs = 0;

  private constructor(order: PublishOrder, opened: { readonly session: string; readonly job: string }) {
    super(order, opened);
    const { source, media } = order;
    const hasAudio = source.stream.getAudioTracks().length > 0;
    const options = {
      mimeType: hasAudio ? mimeType : mimeTypeWithoutAudio,
      videoBitsPerSecond: videoKbps(media, pictureOf(source.kind, media)) * 1000,
      videoKeyFrameIntervalDuration: keyframeIntervalMs,
    };
    this.#recorder = new MediaRecorder(source.stream, options);
    this.#recorder.addEventListener('dataavailable', ({ data }) => this.#send(data));
    this.#recorder.addEventListener('error', () => this.lost(`The ${source.kind} could not be recorded.`));
    this.#recorder.start(sliceMs);
  }

  /** Publishes a source; on failure the source is stopped and the promise rejects with a sentence. */
  static async start(order: PublishOrder, protocol: RelayProtocol): Promise<RelaySession> {
    const { engine, target, source } = order;
    try {
      if (!MediaRecorder.isTypeSupported(mimeType)) throw new Error("This window can't record H.264.");
      const opened = await engine.call('publish.relay', { ...target, protocol, source: source.kind });
      return new RelaySession(order, opened);
    } catch (error) {
      source.stop();
      throw error;
    }
  }

  /** By ffmpeg's own counts, as of its latest report; of one that no longer reports nothing more is sent. */
  protected read(): Promise<PublisherReading | undefined> {
    const sent = this.#sent;
    if (!sent) return Promise.resolve(undefined);
    const nowMs = performance.now();
    const timeMs = nowMs - this.#sentAtMs > silenceMs ? nowMs : this.#sentAtMs;
    const { width, height } = this.order.source.stream.getVideoTracks()[0]?.getSettings() ?? {};
    const unknown = { encoder: undefined, retransmissions: undefined, nacks: undefined, keyframeRequests: undefined };
    const layer = { ...unknown, ...sent, name: undefined, width, height, codec: 'H.264', limitedBy: undefined };
    return Promise.resolve({
      timeMs,
      bytes: sent.bytes,
      layers: [{ ...layer, limitedMs: {} }],
    });
  }

  protected async close(session: string): Promise<void> {
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
    await this.order.engine.call('signal.end', { session });
  }

  #send(slice: Blob): void {
    this.#written = this.#written
      .then(async () => {
        const data = new Uint8Array(await slice.arrayBuffer());
        if (this.session === undefined || data.length === 0) return;
        const { sent } = await this.order.engine.call('publish.relayData', { session: this.session, data });
        if (sent === undefined || sent.frames === this.#sent?.frames) return;
        this.#sent = sent;
        this.#sentAtMs = performance.now();
      })
      .catch((error: unknown) => this.lost(errorText(error)));
  }
}
