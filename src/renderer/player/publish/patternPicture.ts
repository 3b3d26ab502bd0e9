import type { PictureSize } from '../../../domain/model/publishMedia';
import { drawClockRow } from '../../../domain/clock/drawClockRow';
import { wallClock } from '../../../domain/clock/wallClock';

/** 75 % bars of SMPTE EG 1, and the castellations below them. */
const bars = ['#bfbfbf', '#bfbf00', '#00bfbf', '#00bf00', '#bf00bf', '#bf0000', '#0000bf'] as const;
const castellations = ['#0000bf', '#131313', '#bf00bf', '#131313', '#00bfbf', '#131313', '#bfbfbf'] as const;
const barsBottom = 0.655;
const castellationsBottom = 0.73;
const rampBottom = 0.85;

const clockBox = { left: 0.19, top: 0.235, width: 0.62, height: 0.205 } as const;
const hand = { x: 0.5, y: 0.565, radius: 0.075, line: 0.014 } as const;
/** Heights of the texts and the space beside the lower one, relative to the height of the picture. */
const text = { clock: 0.128, frame: 0.05, margin: 0.044 } as const;
const dark = '#0d0d0d';
const fontOfClock = (heightPx: number): string => `500 ${text.clock * heightPx}px "JetBrains Mono", monospace`;
const fontOfCount = (heightPx: number): string => `400 ${text.frame * heightPx}px "JetBrains Mono", monospace`;

export interface PatternFrame {
  readonly stream: string;
  readonly frame: number;
  /** Unix time of drawing in ms, with fractions. */
  readonly timeMs: number;
  /** Number of this pattern in its clock row. */
  readonly source: number;
  /** Size of the picture. */
  readonly size: PictureSize;
}

/** Whether the text of a frame is drawn with its font: until that is loaded the system's is used. */
export function hasPatternFont({ height }: PictureSize): boolean {
  return document.fonts.check(fontOfClock(height)) && document.fonts.check(fontOfCount(height));
}

/** Static part: bars, castellations, grey ramp and the background of the hand. Drawn once. */
export function drawGround(context: CanvasRenderingContext2D, size: PictureSize): void {
  const { width, height } = size;
  const row = (colours: readonly string[], top: number, bottom: number): void => {
    colours.forEach((colour, index) => {
      const left = Math.round((index * width) / colours.length);
      const right = Math.round(((index + 1) * width) / colours.length);
      context.fillStyle = colour;
      context.fillRect(left, Math.round(top * height), right - left, Math.ceil((bottom - top) * height));
    });
  };
  context.fillStyle = '#0b0b0b';
  context.fillRect(0, 0, width, height);
  row(bars, 0, barsBottom);
  row(castellations, barsBottom, castellationsBottom);
  const ramp = context.createLinearGradient(0, 0, width, 0);
  ramp.addColorStop(0, '#101010');
  ramp.addColorStop(1, '#ebebeb');
  context.fillStyle = ramp;
  context.fillRect(
    0,
    Math.round(castellationsBottom * height),
    width,
    Math.ceil((rampBottom - castellationsBottom) * height),
  );
  fillDisc(context, size, hand.radius * height);
}

/**
 * Dynamic part; only these areas are painted, to keep frames cheap. A frame does not depend on those before it: edges
 * between two pixels, which are blended, are those of the ground or of areas that are painted anew.
 */
export function drawPatternFrame(context: CanvasRenderingContext2D, moment: PatternFrame): void {
  drawClock(context, moment);
  drawHand(context, moment);
  drawClockRow(context, moment.size, moment);
}

function drawClock(
  context: CanvasRenderingContext2D,
  { stream, frame, timeMs, size: { width, height } }: PatternFrame,
): void {
  const middle = (clockBox.left + clockBox.width / 2) * width;
  const left = Math.round(clockBox.left * width);
  const top = Math.round(clockBox.top * height);
  context.fillStyle = dark;
  context.fillRect(left, top, Math.round(clockBox.width * width), Math.round(clockBox.height * height));
  context.fillStyle = '#ffffff';
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.font = fontOfClock(height);
  context.fillText(wallClock(timeMs), middle, (clockBox.top + 0.125) * height);
  context.font = fontOfCount(height);
  const count = String(frame).replace(/\B(?=(\d{3})+$)/g, ' ');
  const maxWidth = clockBox.width * width - text.margin * height;
  context.fillText(`${stream}  frame ${count}`, middle, (clockBox.top + 0.185) * height, maxWidth);
}

/** One turn a second: a skipped or doubled frame shows as a jump of the hand. */
function drawHand(context: CanvasRenderingContext2D, { size, timeMs }: PatternFrame): void {
  const { width, height } = size;
  const x = hand.x * width;
  const y = hand.y * height;
  const radius = hand.radius * height;
  const angle = ((timeMs % 1000) / 1000) * 2 * Math.PI;
  // Inside the disc of the ground, clear of its blended edge.
  fillDisc(context, size, radius - 2);
  context.strokeStyle = '#ffffff';
  context.lineWidth = hand.line * height;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 0.8 * radius * Math.sin(angle), y - 0.8 * radius * Math.cos(angle));
  context.stroke();
}

function fillDisc(context: CanvasRenderingContext2D, { width, height }: PictureSize, radiusPx: number): void {
  context.fillStyle = dark;
  context.beginPath();
  context.arc(hand.x * width, hand.y * height, radiusPx, 0, 2 * Math.PI);
  context.fill();
}
