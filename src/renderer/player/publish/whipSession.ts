import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName } from '../../../contract/engine';
import { createPeer, gatheredOffer, leave } from '../protocols/peer';
import { publisherFigures, publisherReading, type PublisherFigures, type PublisherReading } from './publisherStats';
import type { PublishSource } from './publishSources';

/** A test needs a steady stream, not the best quality; enough for 720p. */
export const maxVideoBps = 1_500_000;
const secondMs = 1000;
/** `disconnected` often recovers by itself; after this time it is treated as failed. */
const disconnectedLimitMs = 5000;

export interface WhipTarget {
  readonly node: string;
  readonly stream: string;
}

export interface WhipListener {
  /** Once a second while publishing. */
  figures(figures: PublisherFigures): void;
  /** Ended; `sentence` gives the reason unless `end` was called. */
  ended(sentence: string | undefined): void;
}

type Engine = Pick<EngineClient<EngineCallName>, 'call' | 'on'>;

/**
 * H.264 first, Constrained Baseline in packetization mode 1 before the rest: accepted by every origin.
 */
export function preferH264<C extends { readonly mimeType: string; readonly sdpFmtpLine?: string }>(
  codecs: readonly C[],
): C[] {
  const rank = ({ mimeType, sdpFmtpLine = '' }: C): number => {
    if (mimeType.toLowerCase() !== 'video/h264') return 3;
    if (!sdpFmtpLine.includes('packetization-mode=1')) return 2;
    return /profile-level-id=42e0/i.test(sdpFmtpLine) ? 0 : 1;
  };
  return [...codecs].sort((a, b) => rank(a) - rank(b));
}

/** One WHIP publication from this window: video and audio of a source, until it is ended or the source stops. */
export class WhipSession {
  /** Its job in the engine. */
  readonly job: string;
  #session: string | undefined;
  #reading: PublisherReading | undefined;
  #broken: ReturnType<typeof setTimeout> | undefined;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #unsubscribe: () => void;

  private constructor(
    private readonly engine: Engine,
    private readonly peer: RTCPeerConnection,
    private readonly source: PublishSource,
    private readonly listener: WhipListener,
    answer: { readonly session: string; readonly job: string },
  ) {
    this.#session = answer.session;
    this.job = answer.job;
    this.#timer = setInterval(() => void this.#second(), secondMs);
    this.#unsubscribe = engine.on('sessionEnded', ({ session, sentence }) => {
      if (session === this.#session) void this.end(sentence);
    });
    peer.addEventListener('connectionstatechange', () => this.#watchConnection());
    for (const track of source.stream.getTracks())
      track.addEventListener('ended', () => void this.end(`The ${source.kind} stopped.`));
  }

  /** Publishes a source; on failure the source is stopped and the promise rejects with a sentence. */
  static async start(
    engine: Engine,
    target: WhipTarget,
    source: PublishSource,
    listener: WhipListener,
    newPeer: () => RTCPeerConnection = createPeer,
  ): Promise<WhipSession> {
    const peer = newPeer();
    let session: string | undefined;
    try {
      for (const track of source.stream.getTracks()) addTrack(peer, track, source.stream);
      const offerSdp = await gatheredOffer(peer);
      const answer = await engine.call('signal.whip', { ...target, source: source.kind, offerSdp });
      session = answer.session;
      await peer.setRemoteDescription({ type: 'answer', sdp: answer.answerSdp });
      return new WhipSession(engine, peer, source, listener, answer);
    } catch (error) {
      source.stop();
      if (session === undefined) peer.close();
      else await leave(peer, engine, session);
      throw error;
    }
  }

  /** Stops publishing and ends the session on the origin. Safe to call twice. */
  async end(sentence?: string): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    this.#session = undefined;
    this.#unsubscribe();
    clearInterval(this.#timer);
    clearTimeout(this.#broken);
    this.source.stop();
    this.listener.ended(sentence);
    await leave(this.peer, this.engine, session);
  }

  #watchConnection(): void {
    clearTimeout(this.#broken);
    const state = this.peer.connectionState;
    const sentence = 'The media connection to the origin was lost. Publish again.';
    if (state === 'failed' || state === 'closed') void this.end(sentence);
    if (state === 'disconnected') this.#broken = setTimeout(() => void this.end(sentence), disconnectedLimitMs);
  }

  async #second(): Promise<void> {
    const report = await this.peer.getStats();
    if (this.#session === undefined) return;
    const reading = publisherReading(report.values());
    this.listener.figures(publisherFigures(this.#reading, reading));
    this.#reading = reading;
  }
}

function addTrack(peer: RTCPeerConnection, track: MediaStreamTrack, stream: MediaStream): void {
  const sendEncodings = track.kind === 'video' ? [{ maxBitrate: maxVideoBps }] : [];
  const transceiver = peer.addTransceiver(track, { direction: 'sendonly', streams: [stream], sendEncodings });
  if (track.kind !== 'video') return;
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  if (codecs.length > 0) transceiver.setCodecPreferences(preferH264(codecs));
}
