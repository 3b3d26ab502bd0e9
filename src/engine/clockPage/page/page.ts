import { ConsoleClock } from './consoleClock';
import { drawPageFrame, drawPageGround, drawPageWithoutTime } from './draw';
import { FrameInterval } from './frameInterval';

/**
 * The clock page: draws the console's time in every frame of the display. Bundled into the page as one script
 * (`generatedModules` of `vite.shared.mjs`).
 */

const canvas = document.createElement('canvas');
const context = canvas.getContext('2d', { alpha: false });
const { style } = document.body;
Object.assign(style, { margin: '0', height: '100vh', overflow: 'hidden', background: '#0b0b0b', cursor: 'none' });
Object.assign(style, { display: 'flex', alignItems: 'center', justifyContent: 'center' });
document.body.append(canvas);

/** As large as the window allows, in pixels of the display. */
function fit(): void {
  const width = Math.min(innerWidth, (innerHeight * 16) / 9);
  canvas.width = Math.max(320, Math.round(width * devicePixelRatio));
  canvas.height = Math.round((canvas.width * 9) / 16);
  Object.assign(canvas.style, { display: 'block', width: `${width}px`, height: `${(width * 9) / 16}px` });
}

/** Keeps the display on, where browsers allow it: pages of this machine and of https. */
async function stayOn(): Promise<void> {
  try {
    await navigator.wakeLock?.request('screen');
  } catch {
    // The display may go off; the page works as long as it is on.
  }
}

const clock = new ConsoleClock();
const interval = new FrameInterval();
let slot: 0 | 1 = 0;
/** Whether the ground is drawn. */
let isReady = false;

function frame(presentedMs: number): void {
  requestAnimationFrame(frame);
  if (!context) return;
  interval.note(presentedMs);
  const now = clock.now();
  if (typeof now === 'string') {
    drawPageWithoutTime(context, canvas, now);
    isReady = false;
    return;
  }
  slot = slot === 0 ? 1 : 0;
  const moment = { ...now, refreshMs: interval.ms };
  if (!isReady) {
    drawPageGround(context, canvas);
    // The code of the other slot would be missing for a frame.
    drawPageFrame(context, canvas, { ...moment, slot: slot === 0 ? 1 : 0 });
    isReady = true;
  }
  drawPageFrame(context, canvas, { ...moment, slot });
}

addEventListener('resize', () => {
  fit();
  isReady = false;
});
addEventListener('click', () => void document.documentElement.requestFullscreen?.().catch(() => undefined));
document.addEventListener('visibilitychange', () => void (document.visibilityState === 'visible' && stayOn()));
void stayOn();
fit();
requestAnimationFrame(frame);
