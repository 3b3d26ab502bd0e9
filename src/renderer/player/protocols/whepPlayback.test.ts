import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EngineClient } from '../../../contract/calls';
import type { EngineCallName, EngineEvents } from '../../../contract/engine';
import type { PlayState } from './playSession';
import { RetryingSession, retryDelayMs } from './retryingSession';
import { WhepPlayback } from './whepPlayback';

class FakePeer extends EventTarget {
  connectionState: RTCPeerConnectionState = 'new';
  readonly iceGatheringState = 'complete';
  localDescription: { sdp: string } | null = null;
  remote: string | undefined;
  closed = false;
  addTransceiver(): void {}
  createOffer(): { sdp: string } {
    return { sdp: 'v=0\r\na=candidate:1 1 udp 1 127.0.0.1 9 typ host\r\n' };
  }
  setLocalDescription(description: { sdp: string }): void {
    this.localDescription = description;
  }
  setRemoteDescription({ sdp }: { sdp: string }): void {
    this.remote = sdp;
  }
  getReceivers(): [] {
    return [];
  }
  close(): void {
    this.closed = true;
  }
  become(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
}

const noReport = (): void => undefined;

function observedSession(): {
  session: RetryingSession;
  /** The playback of the latest attempt receives this many bytes in total. */
  noteBytes: (bytes: number, nowMs: number) => void;
  peers: FakePeer[];
  states: PlayState[];
  calls: string[];
  answer: { by: () => Promise<unknown> };
  /** The server ends a session. */
  serverEnds: (ended: EngineEvents['sessionEnded']) => void;
} {
  const peers: FakePeer[] = [];
  const states: PlayState[] = [];
  const calls: string[] = [];
  const answer = { by: () => Promise.resolve<unknown>({ session: `s${peers.length}`, answerSdp: 'answer' }) };
  const call = (name: string, input: { session?: string }): Promise<unknown> => {
    calls.push(input.session === undefined ? name : `${name} ${input.session}`);
    return name === 'signal.whep' ? answer.by() : Promise.resolve({ done: true });
  };
  const listeners = new Set<(ended: EngineEvents['sessionEnded']) => void>();
  const on = (_name: string, listener: (ended: EngineEvents['sessionEnded']) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const engine = {
    call: call as EngineClient<EngineCallName>['call'],
    on: on as EngineClient<EngineCallName>['on'],
  };
  let latest: WhepPlayback | undefined;
  const session = new RetryingSession(
    (listener) =>
      (latest = new WhepPlayback(engine, { node: 'lab', stream: 'cam' }, listener, () => {
        const peer = new FakePeer();
        peers.push(peer);
        return peer as unknown as RTCPeerConnection;
      })),
    { state: (state) => states.push(state), media: noReport, sound: noReport, choices: noReport },
  );
  const noteBytes = (bytes: number, nowMs: number): void => latest?.noteBytes(bytes, nowMs);
  const serverEnds = (ended: EngineEvents['sessionEnded']): void => {
    for (const listener of listeners) listener(ended);
  };
  return { session, noteBytes, peers, states, calls, answer, serverEnds };
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('MediaStream', class {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('WhepPlayback', () => {
  it('plays only once media has arrived', async () => {
    const { session, noteBytes, peers, states } = observedSession();
    session.start();
    await settle();
    expect(peers[0]?.remote).toBe('answer');
    noteBytes(0, 10);
    expect(states.map(({ kind }) => kind)).toEqual(['connecting']);
    noteBytes(1200, 20);
    expect(states.at(-1)).toMatchObject({ kind: 'playing' });
  });

  it('reports why a stream is unavailable and retries with growing delay', async () => {
    const { session, peers, states, answer } = observedSession();
    answer.by = () => Promise.reject(new Error('lab has no stream cam.'));
    session.start();
    await settle();
    expect(states.at(-1)).toMatchObject({ kind: 'waiting', sentence: 'lab has no stream cam.' });
    await vi.advanceTimersByTimeAsync(500);
    expect(peers).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(999);
    expect(peers).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(peers).toHaveLength(3);
    expect(peers.every((peer) => peer.closed)).toBe(true);
  });

  it('reconnects when the connection breaks, and ends the old session', async () => {
    const { session, noteBytes, peers, states, calls } = observedSession();
    session.start();
    await settle();
    noteBytes(1200, 20);
    peers[0]?.become('failed');
    expect(states.at(-1)).toMatchObject({ kind: 'waiting', sentence: 'The media connection of cam was lost.' });
    await vi.advanceTimersByTimeAsync(500);
    noteBytes(900, 600);
    expect(states.at(-1)?.kind).toBe('playing');
    expect(calls).toEqual(['signal.whep', 'signal.end s1', 'signal.whep']);
  });

  it("reconnects at once when the server ends its session, with the server's words", async () => {
    const { session, noteBytes, states, calls, serverEnds } = observedSession();
    session.start();
    await settle();
    noteBytes(1200, 20);
    serverEnds({ session: 'of another player', sentence: 'no' });
    expect(states.at(-1)?.kind).toBe('playing');
    serverEnds({ session: 's1', sentence: 'wcs-1 ended cam: Failed by ICE timeout.' });
    expect(states.at(-1)).toMatchObject({ kind: 'waiting', sentence: 'wcs-1 ended cam: Failed by ICE timeout.' });
    await vi.advanceTimersByTimeAsync(500);
    expect(calls).toEqual(['signal.whep', 'signal.end s1', 'signal.whep']);
    await session.end();
    serverEnds({ session: 's2', sentence: 'too late' });
    expect(states.at(-1)).toEqual({ kind: 'idle' });
  });

  it('gives a disconnected transport time to recover', async () => {
    const { session, noteBytes, peers, states } = observedSession();
    session.start();
    await settle();
    noteBytes(1200, 20);
    peers[0]?.become('disconnected');
    await vi.advanceTimersByTimeAsync(2900);
    peers[0]?.become('connected');
    await vi.advanceTimersByTimeAsync(5000);
    expect(states.at(-1)?.kind).toBe('playing');
    peers[0]?.become('disconnected');
    await vi.advanceTimersByTimeAsync(3000);
    expect(states.at(-1)?.kind).toBe('waiting');
  });

  it('requests again when a playing stream stalls', async () => {
    const { session, noteBytes, states } = observedSession();
    session.start();
    await settle();
    noteBytes(1200, 1000);
    noteBytes(1200, 6000);
    expect(states.at(-1)?.kind).toBe('playing');
    noteBytes(1200, 6001);
    expect(states.at(-1)).toMatchObject({ kind: 'waiting', sentence: 'cam stopped sending media.' });
  });

  it('aborts a try without media', async () => {
    const { session, states } = observedSession();
    session.start();
    await vi.advanceTimersByTimeAsync(8000);
    expect(states.at(-1)?.kind).toBe('waiting');
  });

  it('ends cleanly, once, without retries', async () => {
    const { session, peers, states, calls } = observedSession();
    session.start();
    await settle();
    await session.end();
    await session.end();
    expect(peers[0]?.closed).toBe(true);
    expect(states.at(-1)).toEqual({ kind: 'idle' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual(['signal.whep', 'signal.end s1']);
  });

  it('ends a session whose answer arrived after the end', async () => {
    const { session, calls, answer } = observedSession();
    let give: (value: unknown) => void = () => undefined;
    answer.by = () => new Promise((resolve) => (give = resolve));
    session.start();
    await settle();
    await session.end();
    give({ session: 'late', answerSdp: 'answer' });
    await settle();
    expect(calls).toEqual(['signal.whep', 'signal.end late']);
  });
});

it('waits at most five seconds between two tries', () => {
  expect([1, 2, 3, 4, 5, 50].map(retryDelayMs)).toEqual([500, 1000, 2000, 4000, 5000, 5000]);
});
