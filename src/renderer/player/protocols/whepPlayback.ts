import { readReport, type PlayerReading } from '../figures/playerStats';
import { MediaWatch } from './mediaWatch';
import { errorText } from '../../../domain/text/errorText';
import { createPeer, gatheredOffer, holdInJitterBuffer, leave, shortenJitterBuffer } from './peer';
import type { Playback, PlaybackListener, PlayEngine, PlayTarget } from './playSession';

/** `disconnected` often recovers by itself; after this time it is treated as failed. */
const disconnectedLimitMs = 3000;

/**
 * One WebRTC viewer of WHEP, or of a server's own signalling. The engine does the signalling; only media uses the
 * window's connection.
 */
export class WhepPlayback implements Playback {
  readonly #peer: RTCPeerConnection;
  readonly #watch: MediaWatch;
  readonly #unsubscribe: () => void;
  #session: string | undefined;
  #heldMs = 0;
  #ended = false;

  constructor(
    private readonly engine: PlayEngine,
    private readonly target: PlayTarget & { readonly protocol?: 'whep' | 'wcs' },
    private readonly listener: PlaybackListener,
    newPeer: () => RTCPeerConnection = createPeer,
  ) {
    this.#peer = newPeer();
    this.#watch = new MediaWatch({ stream: target.stream, firstMs: 8000, silenceMs: 5000 }, listener);
    this.#unsubscribe = engine.on('sessionEnded', ({ session, sentence }) => {
      if (this.#session === session) listener.failed(sentence);
    });
    this.#negotiate().catch((error: unknown) => listener.failed(errorText(error)));
  }

  async read(): Promise<PlayerReading | undefined> {
    if (this.#peer.connectionState !== 'connected') return undefined;
    const reading = readReport((await this.#peer.getStats()).values());
    if (this.#ended) return undefined;
    this.noteBytes(reading.bytes ?? 0, Date.now());
    return reading;
  }

  /** Notes the media bytes received on this connection, to detect a stalled stream. */
  noteBytes(bytes: number, nowMs: number): void {
    this.#watch.note(bytes, nowMs);
  }

  delayBy(changeMs: number): void {
    this.#heldMs = Math.max(0, this.#heldMs + changeMs);
    holdInJitterBuffer(this.#peer.getReceivers(), this.#heldMs);
  }

  shortenBuffer(): void {
    shortenJitterBuffer(this.#peer.getReceivers());
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#unsubscribe();
    this.#watch.stop();
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) this.#peer.close();
    else await leave(this.#peer, this.engine, session);
  }

  async #negotiate(): Promise<void> {
    const peer = this.#peer;
    const media = new MediaStream();
    peer.addEventListener('track', (event) => media.addTrack(event.track));
    peer.addEventListener('connectionstatechange', () => this.#watchConnection());
    peer.addTransceiver('audio', { direction: 'recvonly' });
    peer.addTransceiver('video', { direction: 'recvonly' });
    const offerSdp = await gatheredOffer(peer);
    if (this.#ended) return;
    const answer = await this.engine.call('signal.whep', { ...this.target, offerSdp });
    this.#session = answer.session;
    if (this.#ended) return this.end();
    await peer.setRemoteDescription({ type: 'answer', sdp: answer.answerSdp });
    if (this.#ended) return;
    this.listener.media(media);
    this.#watchTransport();
    this.#watch.start();
  }

  #watchConnection(): void {
    const state = this.#peer.connectionState;
    const { stream } = this.target;
    const lost = `The media connection of ${stream} was lost.`;
    if (state === 'failed') this.listener.failed(lost);
    if (state === 'closed') this.listener.failed(`The server ended ${stream}.`);
    if (state === 'disconnected') this.#watch.failAfter(disconnectedLimitMs, lost);
    if (state === 'connected' && this.#watch.hasMedia) this.#watch.stop();
  }

  /** A closing server sends a DTLS alert; Chromium exposes it on the transport only. */
  #watchTransport(): void {
    const transport = this.#peer.getReceivers()[0]?.transport;
    transport?.addEventListener('statechange', () => {
      if (transport.state === 'closed') this.listener.failed(`The server ended ${this.target.stream}.`);
    });
  }
}
