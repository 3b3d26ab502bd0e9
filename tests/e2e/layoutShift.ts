import type { Page } from 'playwright-core';

interface ShiftEntry extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

/** What moved in a page by itself, since it was loaded or since the last question. */
export interface LayoutShifts {
  /** Sum of the values of all shifts, as in Cumulative Layout Shift but over the whole time. */
  readonly sum: number;
  /** What moved, largest first: for the message of a failing test. */
  readonly moves: readonly string[];
}

/** Answers with the shifts that followed no input of the user, and forgets them. */
export function takeLayoutShifts(page: Page): Promise<LayoutShifts> {
  return page.evaluate(async () => {
    const kept = window as unknown as { layoutShifts?: ShiftEntry[] };
    if (!kept.layoutShifts) {
      const entries: ShiftEntry[] = [];
      kept.layoutShifts = entries;
      new PerformanceObserver((list) => entries.push(...(list.getEntries() as ShiftEntry[]))).observe({
        type: 'layout-shift',
        buffered: true,
      });
      // Those from before are delivered in a task of their own.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const shifts = kept.layoutShifts.splice(0).filter(({ hadRecentInput }) => !hadRecentInput);
    const rect = ({ x, y, width, height }: DOMRectReadOnly): string => [x, y, width, height].map(Math.round).join(' ');
    return {
      sum: shifts.reduce((sum, { value }) => sum + value, 0),
      moves: shifts
        .sort((a, b) => b.value - a.value)
        .map(({ value, startTime, sources }) => {
          const moved = sources.map(({ node, previousRect, currentRect }) => {
            const element = node instanceof Element ? node : node?.parentElement;
            const { chart } = element instanceof HTMLElement ? element.dataset : {};
            if (chart) return `chart ${chart} (${rect(previousRect)} to ${rect(currentRect)})`;
            const name = `${element?.tagName.toLowerCase() ?? 'removed'}.${element?.className.toString() ?? ''}`;
            return `${name} (${rect(previousRect)} to ${rect(currentRect)})`;
          });
          return `${value.toFixed(4)} at ${Math.round(startTime)} ms: ${moved.join('; ')}`;
        }),
    };
  });
}
