import type { ClockPageView } from '../../contract/clockPageCalls';
import { firstPageSource, mediaFileSource } from '../../domain/clock/sources';
import { wrapMs } from '../../domain/clock/clockRow';
import { maxDelayMs } from '../../domain/viewer/delay';
import type { MediaClock } from '../../domain/model/mediaClock';

interface PictureClock {
  readonly source: number;
  readonly from: string;
  sinceMs: number;
  untilMs: number;
  isOpen: boolean;
  /** Of the reports whose pictures may still be on their way. */
  reports: readonly { readonly timeMs: number; readonly uncertaintyMs: number }[];
}

/** Pictures of a page that was closed are still on their way for this long. */
const keptMs = 2 * maxDelayMs;
/** The console's clock shows whole ms, at the page and at the player. */
const roundingMs = 0.5;

/** Whose clocks are in pictures, by source number: those of clock pages, whose time is the console's. */
export class PictureClocks {
  private readonly clocks = new Map<number, PictureClock>();

  constructor(
    private readonly now: () => number,
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * A number for a page that has been opened; that which it had before its connection was lost, if it is still its own.
   * Undefined if all are in use.
   */
  open(from: string, earlier?: number): number | undefined {
    this.forget();
    const known = earlier === undefined ? undefined : this.clocks.get(earlier);
    if (known && !known.isOpen && known.from === from) {
      known.isOpen = true;
      return known.source;
    }
    const all = Array.from({ length: mediaFileSource - firstPageSource }, (_, index) => firstPageSource + index);
    const free = all.filter((source) => !this.clocks.has(source));
    // Random: other consoles have numbers of their own.
    const source = free[Math.floor(this.random() * free.length)];
    if (source === undefined) return undefined;
    const timeMs = this.now();
    this.clocks.set(source, { source, from, sinceMs: timeMs, untilMs: timeMs, isOpen: true, reports: [] });
    return source;
  }

  /** What it has drawn since the last report had the console's time to ± this. */
  drawn(source: number, uncertaintyMs: number): void {
    const clock = this.clocks.get(source);
    if (!clock) return;
    const timeMs = this.now();
    clock.untilMs = timeMs;
    clock.reports = [...clock.reports.filter((each) => timeMs - each.timeMs < keptMs), { timeMs, uncertaintyMs }];
  }

  /** What it has drawn since the last report is not known. */
  unknown(source: number): void {
    const clock = this.clocks.get(source);
    if (clock) clock.sinceMs = clock.untilMs = this.now();
  }

  closed(source: number): void {
    const clock = this.clocks.get(source);
    if (clock) clock.isOpen = false;
  }

  /** All of which pictures may still be displayed. */
  get views(): ClockPageView[] {
    this.forget();
    return [...this.clocks.values()].map(({ reports, ...clock }) => ({
      ...clock,
      uncertaintyMs: Math.max(0, ...reports.map(({ uncertaintyMs }) => uncertaintyMs)),
    }));
  }

  /** The same as clocks of media files, by source: their rows encode the time since its last wrap. */
  get mediaClocks(): { readonly source: number; readonly clock: MediaClock }[] {
    return this.views
      .filter(({ sinceMs, untilMs }) => untilMs > sinceMs)
      .map(({ source, sinceMs, untilMs, uncertaintyMs }) => ({
        source,
        clock: {
          ...{ sinceMs, untilMs, durationMs: wrapMs, uncertaintyMs: uncertaintyMs + roundingMs },
          startMs: untilMs - (untilMs % wrapMs),
        },
      }));
  }

  private forget(): void {
    const nowMs = this.now();
    for (const [source, { isOpen, untilMs }] of this.clocks)
      if (!isOpen && nowMs - untilMs > keptMs) this.clocks.delete(source);
  }
}
