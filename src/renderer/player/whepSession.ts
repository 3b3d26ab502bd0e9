import type { EngineClient } from '../../contract/calls';
import type { EngineCallName } from '../../contract/engine';
import { createPeer, gatheredOffer, leave, sentenceOf } from './peer';

export type WhepState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'playing'; readonly sinceMs: number }
  /** Nothing plays; `sentence` says why, and the next try is at `retryAtMs`. */
  | { readonly kind: 'waiting'; readonly sentence: string; readonly retryAtMs: number };

export interface WhepTarget {
  readonly node: string;
  readonly stream: string;
}

export interface WhepListener {
  state(state: WhepState): void;
  /** A new picture; the one before has ended. */
  media(stream: MediaStream): void;
}

/** Time from the answer to the first media before the try counts as failed. */
const firstMediaLimitMs = 8000;
/** Silence of a playing stream after which it is asked for anew. */
const silenceLimitMs = 5000;
/** `disconnected` often heals by itself; only after this time it does not. */
const disconnectedLimitMs = 3000;

/** Wait before try number `failures + 1`: soon at first, then at most every 5 s, so that a waiting player is no load. */
export function retryDelayMs(failures: number): number {
  return Math.min(5000, 500 * 2 ** Math.max(0, failures - 1));
}

interface Attempt {
  readonly peer: RTCPeerConnection;
  session?: string;
  bytes: number;
  bytesAtMs: number;
  watch?: ReturnType<typeof setTimeout>;
}

/**
 * One WHEP viewer: plays a stream and keeps asking for it when it ends, until `end` is called.
 * The engine does the signalling; only media flows from here.
 */
export class WhepSession {
  #attempt: Attempt | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #ended = false;

  constructor(
    private readonly engine: Pick<EngineClient<EngineCallName>, 'call'>,
    private readonly target: WhepTarget,
    private readonly listener: WhepListener,
    private readonly newPeer: () => RTCPeerConnection = createPeer,
  ) {}

  /** Starts playing. Failures are told to the listener, which also hears of every further try. */
  start(): void {
    if (!this.#ended) void this.#connect();
  }

  /** The connection's statistics; undefined while there is none. */
  async report(): Promise<RTCStatsReport | undefined> {
    const peer = this.#attempt?.peer;
    return peer && peer.connectionState === 'connected' ? peer.getStats() : undefined;
  }

  /** Tells how many bytes of media have arrived on this connection, so that a silent stream is noticed. */
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
      this.#fail(attempt, `${this.target.stream} sends nothing any more.`);
    }
  }

  /** Leaves the stream and lets the server know. Safe to call twice. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
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
    peer.addTransceiver('video', { direction: 'recvonly' });
    peer.addTransceiver('audio', { direction: 'recvonly' });
    const offerSdp = await gatheredOffer(peer);
    if (this.#attempt !== attempt) return;
    const answer = await this.engine.call('signal.whep', { ...this.target, offerSdp });
    attempt.session = answer.session;
    if (this.#attempt !== attempt) return this.#release(attempt);
    await peer.setRemoteDescription({ type: 'answer', sdp: answer.answerSdp });
    if (this.#attempt !== attempt) return;
    this.listener.media(media);
    this.#watchTransport(attempt);
    this.#failAfter(
      attempt,
      firstMediaLimitMs,
      `No media of ${this.target.stream} within 8 s of the answer.`,
    );
  }

  #watchConnection(attempt: Attempt): void {
    const state = attempt.peer.connectionState;
    const { stream } = this.target;
    if (state === 'failed') this.#fail(attempt, `The media connection of ${stream} broke.`);
    if (state === 'closed') this.#fail(attempt, `The server ended ${stream}.`);
    if (state === 'disconnected')
      this.#failAfter(attempt, disconnectedLimitMs, `The media connection of ${stream} broke.`);
    if (state === 'connected' && attempt.bytes > 0) clearTimeout(attempt.watch);
  }

  /** A server that leaves says so in DTLS; Chromium shows that on the transport only. */
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
