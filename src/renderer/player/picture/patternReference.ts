import type { PictureSize } from '../../../domain/model/publishMedia';
import { drawGround, drawPatternFrame, type PatternFrame } from '../publish/patternPicture';

/** Draws frames of a test pattern again, on a canvas like that of the pattern. */
export class PatternReference {
  #context: CanvasRenderingContext2D | undefined;

  /** The frame as it was drawn; the caller closes it. */
  draw(drawn: PatternFrame): VideoFrame {
    const context = this.#contextOf(drawn.size);
    drawPatternFrame(context, drawn);
    return new VideoFrame(context.canvas, { timestamp: 0, alpha: 'discard' });
  }

  #contextOf(size: PictureSize): CanvasRenderingContext2D {
    const { width, height } = this.#context?.canvas ?? {};
    if (this.#context && width === size.width && height === size.height) return this.#context;
    const context = newContext(size);
    this.#context = context;
    return context;
  }
}

function newContext(size: PictureSize): CanvasRenderingContext2D {
  const canvas = Object.assign(document.createElement('canvas'), size);
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('The test pattern could not be drawn again: no canvas to draw on.');
  drawGround(context, size);
  return context;
}
