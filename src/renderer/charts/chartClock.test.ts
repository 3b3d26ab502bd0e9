import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawPace, economySeconds } from '../client/drawPace';
import { ChartClock, type Drawable } from './chartClock';

class Card implements Drawable {
  visible = true;
  drawn = 0;
  refreshed = 0;
  constructor(readonly everySeconds: number) {}
  draw(): void {
    this.drawn += 1;
  }
  refresh(): void {
    this.refreshed += 1;
  }
}

describe('ChartClock', () => {
  const page = { hidden: false, addEventListener: vi.fn(), removeEventListener: vi.fn() };
  let frames: FrameRequestCallback[] = [];
  let clocks: ChartClock[] = [];

  beforeEach(() => {
    vi.useFakeTimers();
    frames = [];
    clocks = [];
    page.hidden = false;
    vi.stubGlobal('document', page);
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
    vi.stubGlobal('cancelAnimationFrame', () => undefined);
  });
  afterEach(() => {
    for (const clock of clocks) clock.stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  function clockOf(cards: readonly Card[], changes = true): ChartClock {
    const clock = new ChartClock(() => changes);
    clocks.push(clock);
    for (const card of cards) clock.add(card);
    return clock;
  }
  /** Runs frames until none is requested; returns their number. */
  function runFrames(): number {
    let count = 0;
    for (let frame = frames.shift(); frame; frame = frames.shift()) {
      frame(count * 16);
      count += 1;
    }
    return count;
  }

  it('spreads the cards over several frames', () => {
    const cards = Array.from({ length: 12 }, () => new Card(1));
    clockOf(cards);
    expect(runFrames()).toBeGreaterThan(3);
    expect(cards.map((card) => card.drawn)).toEqual(cards.map(() => 1));
  });

  it('draws every card at its own interval, min 1 s, and refreshes its figures in between', () => {
    const [often, seldom] = [new Card(1), new Card(4)];
    clockOf([often, seldom]);
    runFrames();
    for (let second = 0; second < 8; second += 1) {
      vi.advanceTimersByTime(1000);
      runFrames();
    }
    expect(often.drawn).toBe(1 + 8);
    expect(seldom.drawn).toBe(1 + 2);
    expect(seldom.refreshed).toBe(6);
  });

  it('draws nothing while the window is hidden or minimised, although its page is visible', () => {
    const card = new Card(1);
    clockOf([card]);
    runFrames();
    drawPace.showWindow(false);
    for (let second = 0; second < 10; second += 1) {
      vi.advanceTimersByTime(1000);
      expect(runFrames()).toBe(0);
    }
    expect([card.drawn, card.refreshed]).toEqual([1, 0]);
    drawPace.showWindow(true);
    runFrames();
    expect(card.drawn).toBe(2);
  });

  it('draws less often in economy mode, and goes on to refresh the figures', () => {
    const card = new Card(1);
    clockOf([card]);
    runFrames();
    drawPace.isEconomical = true;
    for (let second = 0; second < 4 * economySeconds; second += 1) {
      vi.advanceTimersByTime(1000);
      runFrames();
    }
    drawPace.isEconomical = false;
    expect(card.drawn).toBe(1 + 4);
    expect(card.refreshed).toBe(4 * economySeconds - 4);
  });

  it('idles without changes, while the window is hidden, and for invisible cards', () => {
    const [still, hidden, away] = [new Card(1), new Card(1), new Card(1)];
    clockOf([still], false);
    away.visible = false;
    clockOf([hidden, away]);
    runFrames();
    page.hidden = true;
    vi.advanceTimersByTime(5000);
    runFrames();
    expect([still.drawn, hidden.drawn, away.drawn]).toEqual([1, 1, 0]);
    page.hidden = false;
    vi.advanceTimersByTime(1000);
    runFrames();
    expect([still.drawn, hidden.drawn, away.drawn]).toEqual([1, 2, 0]);
  });
});
