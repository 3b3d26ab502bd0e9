import type { PictureSize } from '../../../domain/model/publishMedia';
import { frameSink } from './frameSink';
import { localPatterns, allocatePatternNumber } from './localPatterns';
import { PatternSound } from './patternSound';
import { drawGround, drawPatternFrame, hasPatternFont } from './patternPicture';

export interface TestPattern {
  readonly stream: MediaStream;
  /** Frames drawn so far. */
  frames(): number;
  stop(): void;
}

export interface PatternOptions {
  readonly size: PictureSize;
  /** Frames per second. */
  readonly fps: number;
  /** With a tone burst at each full second. */
  readonly hasSound: boolean;
}

/**
 * Draws bars, a running wall clock, the frame's number, a hand and the clock row, and plays a tone burst each second, until
 * stopped.
 */
export function startTestPattern(streamName: string, { size, fps, hasSound }: PatternOptions): TestPattern {
  const frameMs = 1000 / fps;
  const canvas = Object.assign(document.createElement('canvas'), size);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('The test pattern could not be drawn: no canvas to draw on.');
  const source = allocatePatternNumber();
  const sink = frameSink(canvas, fps);
  const sound = hasSound ? new PatternSound(source) : undefined;
  drawGround(context, size);

  let frame = 0;
  let hasFont = false;
  const startedMs = performance.now();
  const draw = (): void => {
    const nowMs = performance.now();
    // A delayed timer skips frames instead of sending them late in a burst.
    const due = Math.floor((nowMs - startedMs) / frameMs);
    if (due < frame) return;
    frame = due + 1;
    const drawn = { stream: streamName, frame, timeMs: performance.timeOrigin + nowMs, source, size };
    drawPatternFrame(context, drawn);
    hasFont ||= hasPatternFont(size);
    // Without its font a frame can't be drawn again.
    if (hasFont) localPatterns.get(source)?.add(drawn);
    sink.push(canvas, nowMs);
  };
  // Twice the frame rate: a timer at the frame rate would skip a frame whenever it fires slightly early.
  const timer = setInterval(draw, frameMs / 2);
  return {
    stream: new MediaStream(sound?.track ? [sink.track, sound.track] : [sink.track]),
    frames: () => frame,
    stop: () => {
      clearInterval(timer);
      sink.close();
      sound?.stop();
      localPatterns.delete(source);
    },
  };
}
