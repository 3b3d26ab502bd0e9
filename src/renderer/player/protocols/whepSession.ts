import { createPeer, gatheredOffer, leave, sentenceOf } from './peer';
import { readReport, type PlayerReading } from '../figures/playerStats';
import { retryDelayMs, type PlayEngine, type PlayListener, type PlaySession, type PlayTarget } from './playSession';

/** Max time from the answer to the first media. */
const firstMediaLimitMs = 8000;
/** Time without media after which a playing stream is requested again. */
const silenceLimitMs = 5000;
/** `disconnected` often recovers by itself; after this time it is treated as failed. */
const disconnectedLimitMs = 3000;

interface Attempt {
  readonly peer: RTCPeerConnection;
  session?: string;
  bytes: number;
  bytesAtMs: number;
  watch?: ReturnType<typeof setTimeout>;
}

/**
 * One WHEP viewer: plays a stream and retries when it ends, until `end` is called.
 * The engine does the signalling; only media uses the window's connection.
 */
export class WhepSession implements PlaySession {
  #attempt: Attempt | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #ended = false;
  readonly #unsubscribe: () => void;

  constructor(
    private readonly engine: PlayEngine,
    private readonly target: PlayTarget,
    private readonly listener: Pick<PlayListener, 'state' | 'media'>,
    private readonly newPeer: () => RTCPeerConnection = createPeer,
  ) {
    this.#unsubscribe = engine.on('sessionEnded', ({ session, sentence }) => {
      if (this.#attempt?.session === session) this.#fail(this.#attempt, sentence);
    });
  }

  start(): void {
    if (!this.#ended) void this.#connect();
  }

  async read(): Promise<PlayerReading | undefined> {
    const attempt = this.#attempt;
    if (attempt?.peer.connectionState !== 'connected') return undefined;
    const reading = readReport((await attempt.peer.getStats()).values());
    if (attempt !== this.#attempt) return undefined;
    this.noteBytes(reading.bytes ?? 0, Date.now());
    return reading;
  }

  /** Reports the media bytes received on this connection, to detect a stalled stream. */
  noteBytes(bytes: number, nowMs: number): void {
    const attempt = this.#attempt;
    if (!attempt) return;
    if (bytes > attempt.bytes) {
      if (attempt.bytes === 0) {
        clearTimeout(attempt.watch);
        this.#failures = 0;
        this.listener.state({ kind: 'playing', sinceMs: nowMs });
      }
      attempt.bytes = bytes;
      attempt.bytesAtMs = nowMs;
    } else if (attempt.bytes > 0 && nowMs - attempt.bytesAtMs > silenceLimitMs) {
      this.#fail(attempt, `${this.target.stream} stopped sending media.`);
    }
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#unsubscribe();
    clearTimeout(this.#retry);
    const attempt = this.#attempt;
    this.#attempt = undefined;
    this.listener.state({ kind: 'idle' });
    if (attempt) await this.#release(attempt);
  }

  async #connect(): Promise<void> {
    this.#retry = undefined;
    this.listener.state({ kind: 'connecting' });
    const attempt: Attempt = { peer: this.newPeer(), bytes: 0, bytesAtMs: 0 };
    this.#attempt = attempt;
    try {
      await this.#negotiate(attempt);
    } catch (error) {
      this.#fail(attempt, sentenceOf(error));
    }
  }

  async #negotiate(attempt: Attempt): Promise<void> {
    const { peer } = attempt;
    const media = new MediaStream();
    peer.addEventListener('track', (event) => media.addTrack(event.track));
    peer.addEventListener('connectionstatechange', () => this.#watchConnection(attempt));
    peer.addTransceiver('audio', { direction: 'recvonly' });
    peer.addTransceiver('video', { direction: 'recvonly' });
    const offerSdp = await gatheredOffer(peer);
    if (this.#attempt !== attempt) return;
    const answer = await this.engine.call('signal.whep', { ...this.target, offerSdp });
    attempt.session = answer.session;
    if (this.#attempt !== attempt) return this.#release(attempt);
    await peer.setRemoteDescription({ type: 'answer', sdp: answer.answerSdp });
    if (this.#attempt !== attempt) return;
    this.listener.media(media);
    this.#watchTransport(attempt);
    this.#failAfter(attempt, firstMediaLimitMs, `No media of ${this.target.stream} within 8 s of the answer.`);
  }

  #watchConnection(attempt: Attempt): void {
    const state = attempt.peer.connectionState;
    const { stream } = this.target;
    if (state === 'failed') this.#fail(attempt, `The media connection of ${stream} was lost.`);
    if (state === 'closed') this.#fail(attempt, `The server ended ${stream}.`);
    if (state === 'disconnected')
      this.#failAfter(attempt, disconnectedLimitMs, `The media connection of ${stream} was lost.`);
    if (state === 'connected' && attempt.bytes > 0) clearTimeout(attempt.watch);
  }

  /** A closing server sends a DTLS alert; Chromium exposes it on the transport only. */
  #watchTransport(attempt: Attempt): void {
    const transport = attempt.peer.getReceivers()[0]?.transport;
    transport?.addEventListener('statechange', () => {
      if (transport.state === 'closed') this.#fail(attempt, `The server ended ${this.target.stream}.`);
    });
  }

  #failAfter(attempt: Attempt, delayMs: number, sentence: string): void {
    clearTimeout(attempt.watch);
    attempt.watch = setTimeout(() => this.#fail(attempt, sentence), delayMs);
  }

  #fail(attempt: Attempt, sentence: string): void {
    if (this.#attempt !== attempt || this.#ended) return;
    this.#attempt = undefined;
    this.#failures += 1;
    const delayMs = retryDelayMs(this.#failures);
    this.#retry = setTimeout(() => void this.#connect(), delayMs);
    this.listener.state({ kind: 'waiting', sentence, retryAtMs: Date.now() + delayMs });
    void this.#release(attempt);
  }

  async #release(attempt: Attempt): Promise<void> {
    clearTimeout(attempt.watch);
    const { peer, session } = attempt;
    attempt.session = undefined;
    if (session === undefined) peer.close();
    else await leave(peer, this.engine, session);
  }
}
