import { frameSink } from './frameSink';
import { localPatterns, allocatePatternNumber } from './localPatterns';
import { PatternSound } from './patternSound';
import { drawGround, drawPatternFrame, patternSize } from './patternPicture';

const patternFps = 25;
const frameMs = 1000 / patternFps;

export interface TestPattern {
  readonly stream: MediaStream;
  /** Frames drawn so far. */
  frames(): number;
  stop(): void;
}

/**
 * Draws bars, a running wall clock, the frame's number, a hand and the clock row at 25 fps, and plays a tone burst each
 * second, until stopped.
 */
export function startTestPattern(streamName: string): TestPattern {
  const canvas = Object.assign(document.createElement('canvas'), patternSize);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('The test pattern could not be drawn: no canvas to draw on.');
  const source = allocatePatternNumber();
  const sink = frameSink(canvas, patternFps);
  const sound = new PatternSound(source);
  drawGround(context);

  let frame = 0;
  const startedMs = performance.now();
  const draw = (): void => {
    const nowMs = performance.now();
    // A delayed timer skips frames instead of sending them late in a burst.
    const due = Math.floor((nowMs - startedMs) / frameMs);
    if (due < frame) return;
    frame = due + 1;
    drawPatternFrame(context, { stream: streamName, frame, timeMs: performance.timeOrigin + nowMs, source });
    sink.push(canvas, nowMs);
  };
  // Twice the frame rate: a timer at the frame rate would skip a frame whenever it fires slightly early.
  const timer = setInterval(draw, frameMs / 2);
  return {
    stream: new MediaStream(sound.track ? [sink.track, sound.track] : [sink.track]),
    frames: () => frame,
    stop: () => {
      clearInterval(timer);
      sink.close();
      sound.stop();
      localPatterns.delete(source);
    },
  };
}
