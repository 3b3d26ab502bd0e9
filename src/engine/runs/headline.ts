import type { RunFigures } from '../../domain/run';
import { arrivalTimeMs, emptyFigures, nextFigures } from './figures';
import type { OriginWords } from './originWords';
import type { Pulls } from './pulls';

export interface HeadlineParts {
  readonly pulls: Pulls;
  readonly origins: () => Pick<OriginWords<{ readonly running: boolean }>, 'totals'>;
  readonly problem: (sentence: string) => void;
}

/** The figures of a run that everybody looks at first. */
export class Headline {
  figures: RunFigures;

  constructor(
    private readonly parts: HeadlineParts,
    startedMs: number,
    /** Viewers that the plan asks for, until its pull has begun. */
    private readonly planned: number,
  ) {
    this.figures = emptyFigures(startedMs, planned);
  }

  update(nowMs: number): void {
    const { pulls, origins } = this.parts;
    this.figures = nextFigures(this.figures, {
      timeMs: nowMs,
      requested: pulls.requested || this.planned,
      jobs: pulls.latest(),
      isDirected: pulls.directed.length > 0,
      firstArrivalMs: pulls.firstArrivalMs(),
      origin: origins().totals(nowMs),
    });
  }

  /** The samples tell the time to all to the second; the viewers' own figures tell it to the millisecond. */
  async measureArrivals(): Promise<void> {
    try {
      const timeToAllMs = arrivalTimeMs(await this.parts.pulls.rows());
      if (timeToAllMs !== undefined && this.figures.timeToAllMs !== undefined)
        this.figures = { ...this.figures, timeToAllMs };
    } catch (error) {
      this.parts.problem(`The time to all stays as the samples tell it: ${(error as Error).message}`);
    }
  }
}
