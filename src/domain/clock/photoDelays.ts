import { maxDelayMs } from '../viewer/delay';
import { codeDistance, codeModules } from './pageLayout';
import type { PhotoCode } from './photoCode';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A code as found in a picture. */
export interface FoundCode extends PhotoCode {
  /** Of the code without its margin, from the top left one clockwise as the code is read, in pixels. */
  readonly corners: readonly [Point, Point, Point, Point];
}

/** A screen in the picture that shows a clock page, or the player's picture of one. */
export interface PhotoScreen {
  readonly source: number;
  /** Time of drawing of its newest readable code, Unix ms by the console's clock. */
  readonly timeMs: number;
  readonly refreshMs: number;
  /** Of its two codes. */
  readonly codes: 1 | 2;
}

/** The newest screen and an older one of the same clock page. */
export interface PhotoDelay {
  readonly source: number;
  readonly newestMs: number;
  readonly olderMs: number;
  readonly delayMs: number;
  /** Without the frame interval of the stream. */
  readonly uncertaintyMs: number;
}

export interface PhotoReading {
  readonly delays: readonly PhotoDelay[];
  /** How many codes are readable. */
  readonly codes: number;
  /** Why there are no delays; a sentence. */
  readonly problem?: string;
}

/** Of a display with 30 frames a second: assumed if the page did not know its own. */
const slowRefreshMs = 34;
/** The two codes of a page are drawn in turn: further apart they are not of one page at one time. */
const togetherMs = 250;
/** How far from its expected place a code is that of the same screen, relative to the side of a code. */
const near = 0.5;
/** Closer than this it may be one of the same screen or not. */
const unclear = 1.5;

const take = 'Take it with both screens whole and sharp in the picture.';

/**
 * The delays in a picture: from the newest screen to each older one of the same page. The newest one is taken as the page
 * itself: without that, or if it is not readable, they are those between two pictures of it.
 */
export function photoDelays(codes: readonly FoundCode[]): PhotoReading {
  const count = codes.length;
  if (count === 0) return { delays: [], codes: count, problem: `No code of a clock page is readable. ${take}` };
  const { screens, isUnclear } = screensOf(codes);
  if (isUnclear)
    return {
      ...{ delays: [], codes: count },
      problem: `Two codes may be of one screen or of two. ${take}`,
    };
  const delays = [...new Set(screens.map(({ source }) => source))].flatMap((source) =>
    delaysOf(screens.filter((screen) => screen.source === source)),
  );
  if (delays.some(({ delayMs }) => delayMs > maxDelayMs))
    return {
      ...{ delays: [], codes: count },
      problem: `Two screens are more than ${maxDelayMs / 1000} s apart: one of them shows a recording.`,
    };
  if (delays.length > 0) return { delays, codes: count };
  const what = screens.length > 1 ? 'The screens show different clock pages' : 'Only one screen is readable';
  return {
    ...{ delays: [], codes: count },
    problem: `${what}: a delay needs the clock page and the player's picture of it. ${take}`,
  };
}

function delaysOf(screens: readonly PhotoScreen[]): PhotoDelay[] {
  const [newest, ...older] = [...screens].sort((a, b) => b.timeMs - a.timeMs);
  return older.map((each) => ({
    source: each.source,
    newestMs: newest!.timeMs,
    olderMs: each.timeMs,
    delayMs: newest!.timeMs - each.timeMs,
    uncertaintyMs: uncertaintyOf(newest!, each),
  }));
}

/**
 * One frame for how long the newest code has been on display, one for the exposure: a longer one has neither code
 * whole. A code that is not readable may be newer by one more. Not in it: for how long the player has displayed its
 * frame, up to the frame interval of the stream, which the codes do not tell.
 */
function uncertaintyOf(newest: PhotoScreen, older: PhotoScreen): number {
  const refreshMs = Math.max(newest.refreshMs, older.refreshMs);
  return refreshMs * (2 + (2 - newest.codes) + (2 - older.codes));
}

/** Which codes are of one screen: each page has two, at a known distance. */
function screensOf(codes: readonly FoundCode[]): { screens: PhotoScreen[]; isUnclear: boolean } {
  const lefts = codes.filter(({ slot }) => slot === 0);
  const rights = new Set(codes.filter(({ slot }) => slot === 1));
  const screens: PhotoScreen[] = [];
  const alone: FoundCode[] = [];
  for (const left of lefts) {
    const ofSource = [...rights].filter(({ source }) => source === left.source);
    const right = ofSource.find((each) => apart(left, each) < near && sameTime(left, each));
    if (!right) {
      alone.push(left);
      continue;
    }
    rights.delete(right);
    screens.push(screenOf(left, right));
  }
  const isUnclear = alone.some((left) =>
    [...rights].some((right) => right.source === left.source && apart(left, right) < unclear),
  );
  return {
    screens: [...screens, ...alone.map((code) => screenOf(code)), ...[...rights].map((code) => screenOf(code))],
    isUnclear,
  };
}

const sameTime = (a: FoundCode, b: FoundCode): boolean => Math.abs(a.timeMs - b.timeMs) < togetherMs;

function screenOf(code: FoundCode, other?: FoundCode): PhotoScreen {
  const newest = other && other.timeMs > code.timeMs ? other : code;
  return {
    source: code.source,
    timeMs: newest.timeMs,
    refreshMs: Math.max(code.refreshMs, other?.refreshMs ?? 0) || slowRefreshMs,
    codes: other ? 2 : 1,
  };
}

/** How far two codes are from the places at which those of one screen are, relative to their sides. */
function apart(left: FoundCode, right: FoundCode): number {
  return Math.max(
    offPlace(left, right, codeDistance / codeModules),
    offPlace(right, left, -codeDistance / codeModules),
  );
}

/** Distance of `other` from the place that is `beside` sides to the right of a code, in sides of that code. */
function offPlace(code: FoundCode, other: FoundCode, beside: number): number {
  const place = project(code.corners, 0.5 + beside, 0.5);
  const middle = project(other.corners, 0.5, 0.5);
  const [topLeft, topRight, bottomRight, bottomLeft] = code.corners;
  const side = (distance(topLeft, bottomRight) + distance(topRight, bottomLeft)) / 2 / Math.SQRT2;
  return distance(place, middle) / side;
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Where a point of the unit square is in the picture, by the perspective that maps the square to these corners. */
function project([a, b, c, d]: FoundCode['corners'], u: number, v: number): Point {
  const [dx1, dx2, dx3] = [b.x - c.x, d.x - c.x, a.x - b.x + c.x - d.x];
  const [dy1, dy2, dy3] = [b.y - c.y, d.y - c.y, a.y - b.y + c.y - d.y];
  const area = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / area;
  const h = (dx1 * dy3 - dx3 * dy1) / area;
  const scale = g * u + h * v + 1;
  return {
    x: ((b.x - a.x + g * b.x) * u + (d.x - a.x + h * d.x) * v + a.x) / scale,
    y: ((b.y - a.y + g * b.y) * u + (d.y - a.y + h * d.y) * v + a.y) / scale,
  };
}
