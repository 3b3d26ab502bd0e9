import { clockCells, clockRow, encodeClock } from '../../../domain/clock/clockRow';

export const patternSize = { width: 640, height: 360 } as const;

/** 75 % bars of SMPTE EG 1, and the castellations below them. */
const bars = ['#bfbfbf', '#bfbf00', '#00bfbf', '#00bf00', '#bf00bf', '#bf0000', '#0000bf'] as const;
const castellations = ['#0000bf', '#131313', '#bf00bf', '#131313', '#00bfbf', '#131313', '#bfbfbf'] as const;
const barsBottom = 0.655;
const castellationsBottom = 0.73;
const rampBottom = 0.85;

const clockBox = { left: 0.19, top: 0.235, width: 0.62, height: 0.205 } as const;
const hand = { x: 0.5, y: 0.565, radius: 0.075 } as const;

export interface PatternFrame {
  readonly stream: string;
  readonly frame: number;
  /** Unix time of drawing in ms, with fractions. */
  readonly timeMs: number;
  /** Number of this pattern in its clock row. */
  readonly source: number;
}

/** Local time, `17:41:51.482`. */
function wallClock(timeMs: number): string {
  const time = new Date(timeMs);
  const digits = (value: number, count: number): string => String(value).padStart(count, '0');
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((value) => digits(value, 2)).join(':');
  return `${clock}.${digits(time.getMilliseconds(), 3)}`;
}

/** Static part: bars, castellations, grey ramp and the background of the clock row. Drawn once. */
export function drawGround(context: CanvasRenderingContext2D): void {
  const { width, height } = patternSize;
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
}

/** Dynamic part; only these areas are painted, to keep frames cheap. */
export function drawPatternFrame(context: CanvasRenderingContext2D, moment: PatternFrame): void {
  drawClock(context, moment);
  drawHand(context, moment.timeMs);
  drawClockRow(context, moment);
}

function drawClock(context: CanvasRenderingContext2D, { stream, frame, timeMs }: PatternFrame): void {
  const { width, height } = patternSize;
  const middle = (clockBox.left + clockBox.width / 2) * width;
  context.fillStyle = '#0d0d0d';
  context.fillRect(clockBox.left * width, clockBox.top * height, clockBox.width * width, clockBox.height * height);
  context.fillStyle = '#ffffff';
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.font = '500 46px "JetBrains Mono", monospace';
  context.fillText(wallClock(timeMs), middle, (clockBox.top + 0.125) * height);
  context.font = '400 18px "JetBrains Mono", monospace';
  const count = String(frame).replace(/\B(?=(\d{3})+$)/g, ' ');
  context.fillText(`${stream}  frame ${count}`, middle, (clockBox.top + 0.185) * height, clockBox.width * width - 16);
}

/** One turn a second: a skipped or doubled frame shows as a jump of the hand. */
function drawHand(context: CanvasRenderingContext2D, timeMs: number): void {
  const x = hand.x * patternSize.width;
  const y = hand.y * patternSize.height;
  const radius = hand.radius * patternSize.height;
  const angle = ((timeMs % 1000) / 1000) * 2 * Math.PI;
  context.fillStyle = '#0d0d0d';
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = '#ffffff';
  context.lineWidth = 5;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + 0.8 * radius * Math.sin(angle), y - 0.8 * radius * Math.cos(angle));
  context.stroke();
}

function drawClockRow(context: CanvasRenderingContext2D, { source, timeMs }: PatternFrame): void {
  const { width, height } = patternSize;
  const left = clockRow.left * width;
  const cellWidth = ((clockRow.right - clockRow.left) * width) / clockCells;
  const top = Math.round(clockRow.top * height);
  const tall = Math.round((clockRow.bottom - clockRow.top) * height);
  context.fillStyle = '#000000';
  context.fillRect(left, top, cellWidth * clockCells, tall);
  context.fillStyle = '#ffffff';
  encodeClock(source, timeMs).forEach((white, cell) => {
    if (white) context.fillRect(left + cell * cellWidth, top, cellWidth, tall);
  });
}
