import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { timeLowOf, wrapMs, type ClockReading } from '../../../domain/clock/clockRow';
import { DrawnFrames, localPatterns } from '../publish/localPatterns';
import { DelayReader, secondDelays } from './delayReader';
import { DelaySamples } from './delaySamples';

/** The clock row that the worker reads from each picture. */
let shown: ClockReading;

class FakeWorker {
  #answer: (event: MessageEvent) => void = () => undefined;
  addEventListener(_: string, listener: (event: MessageEvent) => void): void {
    this.#answer = listener;
  }
  postMessage(order: { readonly id: number }): void {
    this.#answer({ data: { id: order.id, reading: shown } } as MessageEvent);
  }
}

/** Frames each 40 ms until 10 s, with a delay of 100 ms and from 9 s on of 140 ms. */
function picture(): DelaySamples {
  const samples = new DelaySamples(10);
  for (let timeMs = 0; timeMs < 10_000; timeMs += 40)
    samples.add({ timeMs, delayMs: timeMs < 9000 ? 100 : 140, uncertaintyMs: 8 });
  return samples;
}

function soundUntil(lastMs: number): DelaySamples {
  const samples = new DelaySamples(3);
  for (let timeMs = lastMs - 3000; timeMs <= lastMs; timeMs += 1000)
    samples.add({ timeMs, delayMs: 90, uncertaintyMs: 2 });
  return samples;
}

describe('delays of a second', () => {
  it('compare a burst with the frames that were played with it', () => {
    expect(secondDelays(picture(), soundUntil(8700), 10_000)).toEqual({
      delayMs: 140,
      audioDelayMs: 90,
      avOffset: { ms: 10, uncertaintyMs: 10 },
      hasSoundClock: true,
    });
    expect(secondDelays(picture(), soundUntil(9300), 10_000).avOffset?.ms).toBe(50);
  });

  it('have no offset without frames', () => {
    expect(secondDelays(new DelaySamples(10), soundUntil(9500), 10_000)).toEqual({
      delayMs: undefined,
      audioDelayMs: 90,
      avOffset: undefined,
      hasSoundClock: true,
    });
  });

  it('are a gap while bursts are missing for some seconds, and then without a clock in the sound', () => {
    expect(secondDelays(picture(), soundUntil(8000), 10_000)).toEqual({ delayMs: 140, hasSoundClock: true });
    expect(secondDelays(picture(), soundUntil(-1000), 10_000)).toEqual({ delayMs: 140, hasSoundClock: false });
    expect(secondDelays(picture(), new DelaySamples(3), 10_000).hasSoundClock).toBe(false);
  });
});

describe('delays of a clock page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('Worker', FakeWorker);
    vi.stubGlobal('VideoFrame', class {});
    vi.stubGlobal('HTMLMediaElement', { HAVE_CURRENT_DATA: 2 });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    localPatterns.clear();
  });

  /** `performance.now()` is 0 at this time of the console. */
  const consoleMs = 1_795_260_764_000;
  const source = 52;

  /** A player whose engine answers after `backMs`; `present` displays a frame now and waits a second. */
  function playing() {
    const times = { backMs: 2 };
    const startMs = performance.now();
    const nowMs = (): number => performance.now() - startMs;
    const reader = new DelayReader(async () => {
      const engineMs = consoleMs + nowMs();
      await new Promise((resolve) => setTimeout(resolve, times.backMs));
      const clock = { startMs: engineMs - (engineMs % wrapMs), sinceMs: consoleMs - 9000, untilMs: engineMs };
      return { nowMs: engineMs, pages: [{ source, clock: { ...clock, durationMs: wrapMs, uncertaintyMs: 1 } }] };
    });
    const present = async (reading: ClockReading): Promise<void> => {
      shown = reading;
      const presentationTime = performance.now();
      const frame = { presentationTime, expectedDisplayTime: presentationTime };
      reader.onFrame({ readyState: 4 } as HTMLVideoElement, frame as VideoFrameCallbackMetadata);
      reader.second(presentationTime);
      await vi.advanceTimersByTimeAsync(1000);
    };
    const page = (delayMs: number): ClockReading => ({ source, timeLow: timeLowOf(consoleMs + nowMs() - delayMs) });
    return { reader, times, present, page };
  }

  it('are not shifted by a slow answer of the engine', async () => {
    const { reader, times, present, page } = playing();
    for (let second = 0; second < 12; second += 1) {
      times.backMs = second === 5 ? 200 : 2;
      await present(page(100));
    }
    const delays = reader.takePicture();
    expect(delays.length).toBeGreaterThan(4);
    for (const delayMs of delays) expect(Math.abs(delayMs - 100)).toBeLessThan(3);
    expect(reader.isForeign).toBe(true);
  });

  it('end when a pattern of this window is played in its place', async () => {
    const { reader, present, page } = playing();
    for (let second = 0; second < 4; second += 1) await present(page(100));
    expect(reader.isForeign).toBe(true);
    localPatterns.set(1, new DrawnFrames());
    await present({ source: 1, timeLow: timeLowOf(performance.timeOrigin + performance.now() - 60) });
    expect(reader.isForeign).toBe(false);
  });
});
