import { drawClockRow } from '../../../domain/clock/drawClockRow';
import {
  codeDistance,
  codeMargin,
  codeModules,
  moduleSide,
  panelModules,
  panelTop,
} from '../../../domain/clock/pageLayout';
import { encodePhotoCode, type PhotoCode } from '../../../domain/clock/photoCode';
import { qrCode } from '../../../domain/clock/qrCode';
import { wallClock } from '../../../domain/clock/wallClock';

/** A canvas, as far as the page needs it. */
export type PageContext = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
  | 'fillRect'
  | 'fillText'
  | 'beginPath'
  | 'arc'
  | 'moveTo'
  | 'lineTo'
  | 'fill'
  | 'stroke'
>;

/** In pixels, 16:9. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** One frame of the page. */
export interface PageFrame {
  readonly source: number;
  /** Unix time of drawing by the console's clock, ms. */
  readonly timeMs: number;
  readonly uncertaintyMs: number;
  readonly refreshMs: number;
  /** The code of this frame. */
  readonly slot: PhotoCode['slot'];
}

const colours = { ground: '#0b0b0b', text: '#ffffff', quiet: '#8d949e', disc: '#1b1f24' } as const;
const font = (heightPx: number, weight = 500): string =>
  `${weight} ${heightPx}px "JetBrains Mono", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace`;
/** Relative to the height, but for x to the width. */
const hand = { x: 0.107, y: 0.32, radius: 0.115 } as const;
const notes = { x: 0.893, top: 0.215 } as const;
const time = { y: 0.775, height: 0.155 } as const;

/** What does not change from frame to frame. */
export function drawPageGround(context: PageContext, { width, height }: Size): void {
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, height);
  const { left, top, side } = panelOf({ width, height });
  context.fillStyle = '#ffffff';
  context.fillRect(left, top, panelModules.width * side, panelModules.height * side);
}

/** The rest; the other code stays from the frame before. */
export function drawPageFrame(context: PageContext, size: Size, frame: PageFrame): void {
  drawCode(context, size, frame);
  drawHand(context, size, frame.timeMs);
  drawTime(context, size, wallClock(frame.timeMs));
  drawNotes(context, size, frame);
  drawClockRow(context, size, frame);
}

/** In place of all that a reader could take for a time. */
export function drawPageWithoutTime(context: PageContext, size: Size, sentence: string): void {
  const { width, height } = size;
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, height);
  context.fillStyle = colours.quiet;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.font = font(0.04 * height, 400);
  context.fillText(sentence, width / 2, height / 2, 0.9 * width);
}

/** Whole pixels: blurred edges of modules would be worse than a code that is a little smaller. */
function panelOf({ width, height }: Size): { readonly left: number; readonly top: number; readonly side: number } {
  const side = Math.max(1, Math.round(moduleSide * height));
  return { side, left: Math.round((width - panelModules.width * side) / 2), top: Math.round(panelTop * height) };
}

function drawCode(context: PageContext, size: Size, frame: PageFrame): void {
  const { left, top, side } = panelOf(size);
  const code = qrCode(encodePhotoCode(frame));
  const from = left + (codeMargin + frame.slot * codeDistance) * side;
  const above = top + codeMargin * side;
  context.fillStyle = '#ffffff';
  context.fillRect(from, above, codeModules * side, codeModules * side);
  context.fillStyle = '#000000';
  for (let row = 0; row < codeModules; row += 1)
    for (let column = 0; column < codeModules; column += 1)
      if (code[row]?.[column]) context.fillRect(from + column * side, above + row * side, side, side);
}

/** One turn a second: a skipped or doubled frame shows as a jump of the hand. */
function drawHand(context: PageContext, { width, height }: Size, timeMs: number): void {
  const [x, y, radius] = [hand.x * width, hand.y * height, hand.radius * height].map(Math.round) as [
    number,
    number,
    number,
  ];
  const angle = ((timeMs % 1000) / 1000) * 2 * Math.PI;
  context.fillStyle = colours.ground;
  context.fillRect(x - radius - 2, y - radius - 2, 2 * radius + 4, 2 * radius + 4);
  context.fillStyle = colours.disc;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = colours.text;
  context.lineWidth = 0.014 * height;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 0.8 * radius * Math.sin(angle), y - 0.8 * radius * Math.cos(angle));
  context.stroke();
}

function drawTime(context: PageContext, { width, height }: Size, text: string): void {
  context.fillStyle = colours.ground;
  context.fillRect(0, Math.round((time.y - time.height) * height), width, Math.round(1.3 * time.height * height));
  context.fillStyle = colours.text;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.font = font(time.height * height);
  context.fillText(text, width / 2, time.y * height, 0.9 * width);
}

function drawNotes(context: PageContext, { width, height }: Size, frame: PageFrame): void {
  const lines = [
    ['Clock', String(frame.source)],
    ['Console', `± ${frame.uncertaintyMs.toFixed(1)} ms`],
    ['Display', frame.refreshMs > 0 ? `${Math.round(1000 / frame.refreshMs)} Hz` : '–'],
  ] as const;
  const x = Math.round(notes.x * width);
  const half = Math.round(0.1 * width);
  const wide = 2 * half;
  context.fillStyle = colours.ground;
  context.fillRect(x - half, Math.round((notes.top - 0.05) * height), wide, Math.round(0.34 * height));
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  lines.forEach(([label, value], index) => {
    const y = (notes.top + 0.1 * index) * height;
    context.fillStyle = colours.quiet;
    context.font = font(0.024 * height, 400);
    context.fillText(label, x, y, wide);
    context.fillStyle = colours.text;
    context.font = font(0.036 * height);
    context.fillText(value, x, y + 0.043 * height, wide);
  });
}
