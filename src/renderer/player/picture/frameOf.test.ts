import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GlassReader } from '../clock/glassToGlass';
import { frameOf } from './frameOf';

/** What constructing a frame throws; undefined: nothing. */
let fault: Error | undefined;
const frames = vi.fn();

class Frame {
  constructor(video: unknown) {
    if (fault) throw fault;
    frames(video);
  }
}

// Node.js has no videos; the browser's own behaviour is part of the player's tests.
beforeEach(() => {
  vi.stubGlobal('HTMLMediaElement', { HAVE_CURRENT_DATA: 2 });
  vi.stubGlobal('VideoFrame', Frame);
});
afterEach(() => {
  fault = undefined;
  vi.unstubAllGlobals();
  frames.mockReset();
});
const video = (readyState: number) => ({ readyState }) as HTMLVideoElement;
const closed = () => new DOMException('Invalid source state', 'InvalidStateError');

it('has no frame of a video without data, or whose frame the browser has closed', () => {
  expect(frameOf(video(1))).toBeUndefined();
  expect(frameOf(video(2))).toBeInstanceOf(Frame);
  fault = closed();
  expect(frameOf(video(2))).toBeUndefined();
});

it('does not hide another fault', () => {
  fault = new DOMException('tainted', 'SecurityError');
  expect(() => frameOf(video(2))).toThrow('tainted');
});

it('lets the reader of clock rows go on after closed frames', () => {
  const posted = vi.fn();
  vi.stubGlobal(
    'Worker',
    class {
      addEventListener = vi.fn();
      postMessage = posted;
    },
  );
  const reader = new GlassReader();
  const present = (second: number) => {
    const timeMs = second * 10_000;
    reader.onFrame(video(2), { presentationTime: timeMs, expectedDisplayTime: timeMs } as VideoFrameCallbackMetadata);
  };
  fault = closed();
  // More than may wait for the worker.
  for (let each = 1; each <= 10; each += 1) present(each);
  expect(posted).not.toHaveBeenCalled();
  fault = undefined;
  present(11);
  expect(posted).toHaveBeenCalledOnce();
});
