import type { EngineClient } from '../../../src/contract/calls';
import type { CallInput, CallOutput, EngineCallName } from '../../../src/contract/engine';
import type { Still } from '../../../src/domain/model/run';
import type { RealEngine } from './realEngine';

/** A WHIP/WHEP origin behind the engine: HTTP requests are sent outside the page. */
export interface Origin {
  post(path: string, offerSdp: string): Promise<{ location: string; answerSdp: string }>;
  remove(location: string): Promise<void>;
}

/** An HLS server behind the engine: requests are sent outside the page. */
export interface HlsServer {
  /** Address of a stream's playlist. */
  address(stream: string): string;
  fetch(url: string): Promise<{ status: number; base64: string }>;
}

/**
 * The part of the engine that player and publisher call, inside the page: WHIP publications are played over WHEP
 * on real loopback connections. Real media without an origin, so signalling errors are detected.
 */
export class PageEngine {
  /** Signalling with a real origin instead; set by tests that have one. */
  origin: Origin | undefined;

  /** HLS playback from this server instead; set by tests that have one. */
  hls: HlsServer | undefined;

  readonly reports: CallInput<'player.figures'>[] = [];
  readonly stills: { still: Still; data: Uint8Array }[] = [];
  readonly ended: string[] = [];
  /** While true the stream does not exist for new viewers. */
  refuseViewers = false;
  #published: MediaStream | undefined;
  #peers = new Map<string, RTCPeerConnection>();
  #lastSession = 0;

  /** Figures and stills go to the engine of the test too, instead of `reports` and `stills`. */
  recordsReal = false;
  /** Plays streams of real servers with the engine of the test; set by tests that have one. */
  real: RealEngine | undefined;

  readonly client: EngineClient<EngineCallName> = {
    call: async <C extends EngineCallName>(name: C, input: CallInput<C>): Promise<CallOutput<C>> => {
      const isRecorded = name === 'player.figures' || name === 'runs.saveStill';
      if (this.real && (!isRecorded || this.recordsReal)) return this.real.client.call(name, input);
      const handlers: Partial<Record<string, (input: never) => Promise<unknown>>> = this.#handlers;
      const handler = handlers[name];
      if (!handler) throw new Error(`The test page has no ${name}.`);
      return (await handler(input as never)) as CallOutput<C>;
    },
    on: (name, listener) => this.real?.client.on(name, listener) ?? ((): void => undefined),
  };

  /** Open sessions. */
  sessions(): number {
    return this.#peers.size;
  }

  /** Closes the viewers' connections, like an origin at the end of a stream. */
  endViewers(): void {
    for (const [session, peer] of this.#peers) if (session.startsWith('whep')) peer.close();
  }

  /** Limits the video bitrate to the viewers. */
  async limitViewers(maxBitrate: number): Promise<void> {
    const senders = [...this.#peers].flatMap(([session, peer]) =>
      session.startsWith('whep') ? peer.getSenders() : [],
    );
    for (const sender of senders) {
      if (sender.track?.kind !== 'video') continue;
      const parameters = sender.getParameters();
      for (const encoding of parameters.encodings) encoding.maxBitrate = maxBitrate;
      await sender.setParameters(parameters);
    }
  }

  /** Replaces the published video by black, or no longer. */
  blackenMedia(isBlack: boolean): void {
    for (const track of this.#published?.getVideoTracks() ?? []) track.enabled = !isBlack;
  }

  /** Pauses or resumes media to the viewers. */
  pauseMedia(paused: boolean): void {
    for (const track of this.#published?.getTracks() ?? []) track.enabled = !paused;
    for (const [session, peer] of this.#peers) {
      if (!session.startsWith('whep')) continue;
      for (const sender of peer.getSenders()) {
        const parameters = sender.getParameters();
        for (const encoding of parameters.encodings) encoding.active = !paused;
        void sender.setParameters(parameters);
      }
    }
  }

  readonly #handlers = {
    'player.address': ({ stream }: CallInput<'player.address'>): Promise<CallOutput<'player.address'>> =>
      Promise.resolve(
        this.hls
          ? { protocol: 'hls', url: this.hls.address(stream), available: ['hls'] }
          : { protocol: 'whep', url: '', available: ['whep'] },
      ),
    'player.fetch': async ({ url }: CallInput<'player.fetch'>): Promise<CallOutput<'player.fetch'>> => {
      if (!this.hls) throw new Error('The test page has no HLS server.');
      const { status, base64 } = await this.hls.fetch(url);
      return { status, url, data: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) };
    },
    'signal.whip': async (input: CallInput<'signal.whip'>): Promise<CallOutput<'signal.whip'>> => {
      if (this.origin) {
        const { location, answerSdp } = await this.origin.post(`/whip/${input.stream}`, input.offerSdp);
        return { session: location, job: `job-${location}`, answerSdp };
      }
      const peer = new RTCPeerConnection();
      const media = new MediaStream();
      peer.addEventListener('track', (event) => media.addTrack(event.track));
      const answerSdp = await this.#answer(peer, input.offerSdp);
      this.#published = media;
      const session = this.#keep('whip', peer);
      return { session, job: `job-${session}`, answerSdp };
    },
    'signal.whep': async (input: CallInput<'signal.whep'>): Promise<CallOutput<'signal.whep'>> => {
      if (this.origin) {
        const { location, answerSdp } = await this.origin.post(`/whep/${input.stream}`, input.offerSdp);
        return { session: location, answerSdp };
      }
      if (!this.#published || this.refuseViewers) throw new Error(`page has no stream ${input.stream} at the moment.`);
      const peer = new RTCPeerConnection();
      for (const track of this.#published.getTracks()) peer.addTrack(track, this.#published);
      const answerSdp = await this.#answer(peer, input.offerSdp);
      return { session: this.#keep('whep', peer), answerSdp };
    },
    'signal.end': async (input: CallInput<'signal.end'>): Promise<CallOutput<'signal.end'>> => {
      if (this.origin) await this.origin.remove(input.session);
      this.#peers.get(input.session)?.close();
      this.#peers.delete(input.session);
      this.ended.push(input.session);
      return { done: true };
    },
    'publish.figures': (): Promise<CallOutput<'publish.figures'>> => Promise.resolve({ done: true }),
    'player.figures': (input: CallInput<'player.figures'>): Promise<CallOutput<'player.figures'>> => {
      this.reports.push(input);
      return Promise.resolve({ done: true });
    },
    'runs.saveStill': (input: CallInput<'runs.saveStill'>): Promise<CallOutput<'runs.saveStill'>> => {
      const { cause, mime, data } = input;
      const still: Still = {
        id: this.stills.length + 1,
        timeMs: Date.now(),
        cause,
        mime,
        bytes: data.length,
      };
      this.stills.push({ still, data });
      return Promise.resolve(still);
    },
  };

  #keep(kind: string, peer: RTCPeerConnection): string {
    this.#lastSession += 1;
    const session = `${kind}-${this.#lastSession}`;
    this.#peers.set(session, peer);
    return session;
  }

  async #answer(peer: RTCPeerConnection, offerSdp: string): Promise<string> {
    await peer.setRemoteDescription({ type: 'offer', sdp: offerSdp });
    await peer.setLocalDescription(await peer.createAnswer());
    while (peer.iceGatheringState !== 'complete') await new Promise((resolve) => setTimeout(resolve, 10));
    return peer.localDescription?.sdp ?? '';
  }
}
