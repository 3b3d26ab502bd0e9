import type { Audience } from '../../domain/model/plan';
import type { RunFigures } from '../../domain/model/run';
import type { AudienceDistributions } from './audienceDistributions';
import { arrivalTimeMs, emptyFigures, nextFigures, publisherFigures } from './figures';
import type { OriginReports } from './originReports';
import type { Pulls } from './pulls';
import type { RunPublishers } from './runPublishers';

/** The key figures of a run. */
export class Headline {
  figures: RunFigures;

  constructor(
    private readonly pulls: Pulls,
    private readonly origins: Pick<OriginReports<{ readonly running: boolean }>, 'totals'>,
    private readonly distributions: Pick<AudienceDistributions, 'figures'>,
    startedMs: number,
    private readonly audiences: () => readonly Audience[],
    private readonly publishers: Pick<RunPublishers, 'list' | 'controlled'>,
    /** Publishers of a plan without an audience. */
    planned: number,
  ) {
    this.figures = emptyFigures(startedMs, pulls.requested(audiences()) + planned);
  }

  update(nowMs: number): void {
    if (this.publishers.list.length > 0) {
      this.figures = publisherFigures(
        this.figures,
        nowMs,
        this.publishers.list,
        this.publishers.controlled?.peakTarget,
      );
      return;
    }
    const { pulls, origins, distributions } = this;
    this.figures = nextFigures(this.figures, {
      timeMs: nowMs,
      requested: pulls.requested(this.audiences()),
      jobs: pulls.latest(),
      isControlled: pulls.controlled.length > 0,
      firstArrivalMs: pulls.firstArrivalMs(),
      origin: origins.totals(nowMs),
      distributions: distributions.figures(),
    });
  }

  /** The samples give the time to all connected to the second; the viewers' own figures give it to the millisecond. */
  async measureArrivals(): Promise<void> {
    const timeToAllMs = arrivalTimeMs(await this.pulls.rows());
    if (timeToAllMs !== undefined && this.figures.timeToAllMs !== undefined)
      this.figures = { ...this.figures, timeToAllMs };
  }
}
