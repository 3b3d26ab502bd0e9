import type { PatternFrame } from '../publish/patternPicture';
import { drawGround, drawPatternFrame, patternSize } from '../publish/patternPicture';

/** Draws frames of a test pattern again, on a canvas like that of the pattern. */
export class PatternReference {
  #context: CanvasRenderingContext2D | undefined;

  /** The frame as it was drawn; the caller closes it. */
  draw(drawn: PatternFrame): VideoFrame {
    this.#context ??= newContext();
    drawPatternFrame(this.#context, drawn);
    return new VideoFrame(this.#context.canvas, { timestamp: 0, alpha: 'discard' });
  }
}

function newContext(): CanvasRenderingContext2D {
  const canvas = Object.assign(document.createElement('canvas'), patternSize);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('The test pattern could not be drawn again: no canvas to draw on.');
  drawGround(context);
  return context;
}
