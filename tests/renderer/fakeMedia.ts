import { startTestPattern, type TestPattern } from '../../src/renderer/player/publish/testPattern';

interface FakeSession {
  readonly peer: RTCPeerConnection;
  readonly pattern: TestPattern;
}

/** As the stream's name in the scenarios says, cam-240p. */
const picture = { size: { width: 426, height: 240 }, fps: 25, hasSound: true } as const;

/** Streams of the fake engine: each viewer has its own WebRTC sender in this page, which sends the test pattern. */
export class FakeMedia {
  readonly #sessions = new Map<string, FakeSession>();
  #count = 0;

  /** Answers a viewer's offer with all candidates in the answer, as a server does. */
  async answer({
    stream,
    offerSdp,
  }: {
    stream: string;
    offerSdp: string;
  }): Promise<{ session: string; answerSdp: string }> {
    const session = `fake-media-${++this.#count}`;
    const peer = new RTCPeerConnection();
    const pattern = startTestPattern(stream, picture);
    this.#sessions.set(session, { peer, pattern });
    await peer.setRemoteDescription({ type: 'offer', sdp: offerSdp });
    for (const track of pattern.stream.getTracks()) peer.addTrack(track, pattern.stream);
    await peer.setLocalDescription(await peer.createAnswer());
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (peer.iceGatheringState === 'complete') resolve();
      };
      peer.addEventListener('icegatheringstatechange', check);
      check();
    });
    return { session, answerSdp: peer.localDescription?.sdp ?? '' };
  }

  end(session: string): void {
    const ended = this.#sessions.get(session);
    ended?.pattern.stop();
    ended?.peer.close();
    this.#sessions.delete(session);
  }
}
