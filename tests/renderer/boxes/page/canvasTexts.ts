import type { Box } from './geometry';

/** A text drawn on a canvas, in device pixels of it. */
interface DrawnText {
  readonly text: string;
  readonly box: Box;
}

const drawn = new WeakMap<HTMLCanvasElement, DrawnText[]>();

const isHtmlCanvas = (canvas: unknown): canvas is HTMLCanvasElement => canvas instanceof HTMLCanvasElement;

/** Remembers what is written on each canvas until it is cleared. Must run before the page's own scripts. */
export function recordCanvasTexts(): void {
  // Called with the context that they are called on.
  // oxlint-disable-next-line unbound-method
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (x, y, width, height) {
    if (isHtmlCanvas(this.canvas) && x <= 0 && y <= 0) drawn.delete(this.canvas);
    clearRect.call(this, x, y, width, height);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, maxWidth) {
    const { actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } =
      this.measureText(text);
    const by = this.getTransform();
    const corners = [
      [x - actualBoundingBoxLeft, y - actualBoundingBoxAscent],
      [x + actualBoundingBoxRight, y + actualBoundingBoxDescent],
    ].map(([cornerX, cornerY]) => by.transformPoint({ x: cornerX ?? 0, y: cornerY ?? 0 }));
    const xs = corners.map((corner) => corner.x);
    const ys = corners.map((corner) => corner.y);
    const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    if (isHtmlCanvas(this.canvas)) drawn.set(this.canvas, [...(drawn.get(this.canvas) ?? []), { text, box }]);
    if (maxWidth === undefined) fillText.call(this, text, x, y);
    else fillText.call(this, text, x, y, maxWidth);
  };
}

/** The texts on a canvas, in pixels of the page. */
export function canvasTexts(canvas: HTMLCanvasElement): readonly DrawnText[] {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const byX = width / Math.max(1, canvas.width);
  const byY = height / Math.max(1, canvas.height);
  return (drawn.get(canvas) ?? []).map(({ text, box }) => ({
    text,
    box: {
      left: left + box.left * byX,
      right: left + box.right * byX,
      top: top + box.top * byY,
      bottom: top + box.bottom * byY,
    },
  }));
}
