import type { PublisherGroup } from '../../../domain/model/publisherGroup';
import type { FleetNode } from '../../fleet/node';
import { isSettled } from '../pullSteps';
import { GroupJob } from '../runPublishers';
import type { AudienceTarget, LoadController } from './loadController';
import { partsOf, partsToEnd } from './parts';

/** What follows from a decision of the controller. */
export interface PublishersStep {
  /** For the log. */
  readonly sentence?: string | undefined;
  /** To be started, and to be ended. */
  readonly starting: readonly GroupJob[];
  readonly ending: readonly GroupJob[];
}

const nothing: PublishersStep = { starting: [], ending: [] };

/**
 * Publishers alone whose number grows and shrinks as their controller decides. A tester ends complete publications only,
 * so they consist of many: the newest ends first. Each publisher gets a number that none had before, since a server may
 * still have the stream of one that has just ended.
 */
export class ControlledPublishers {
  /** The largest target so far, and the latest one. */
  peakTarget = 0;
  targetNow = 0;
  private activeParts: GroupJob[] = [];
  private leaving: GroupJob[] = [];
  private settledMs: number | undefined;
  private lastNumber = 0;
  private hasEnded = false;
  private livePeak = 0;

  constructor(
    private readonly group: PublisherGroup,
    private readonly node: FleetNode,
    private readonly tester: FleetNode,
    readonly controller: LoadController,
  ) {}

  get isOver(): boolean {
    return this.hasEnded;
  }

  /** `drain` once no more publishers are started. */
  get phase(): 'ramp' | 'hold' | 'drain' {
    return this.hasEnded ? 'drain' : this.controller.phase;
  }

  /** The publications of the latest target. */
  get active(): readonly GroupJob[] {
    return this.activeParts;
  }

  /** The most that were live at once. */
  get peak(): number {
    return this.livePeak;
  }

  /** No more publishers are started. The caller ends the present ones. */
  close(): void {
    this.hasEnded = true;
  }

  /** Asks the controller for a target and adjusts the publishers. */
  step(nowMs: number): PublishersStep {
    if (this.hasEnded) return nothing;
    this.livePeak = Math.max(
      this.livePeak,
      [...this.activeParts, ...this.leaving].reduce((sum, { live }) => sum + live, 0),
    );
    this.leaving = this.leaving.filter((part) => !isSettled(part.seen()));
    const isCalm = this.leaving.length === 0 && this.activeParts.every((part) => isSettled(part.seen()));
    this.settledMs = isCalm ? (this.settledMs ?? nowMs) : undefined;
    const { settledMs } = this;
    const next = this.controller.next({
      ...{ nowMs, wanted: this.targetNow },
      ...(settledMs === undefined ? {} : { settledMs }),
    });
    if (next === 'end') {
      this.close();
      return { starting: [], ending: this.activeParts };
    }
    return next ? { sentence: next.sentence, ...this.apply(next) } : nothing;
  }

  private apply(target: AudienceTarget): Pick<PublishersStep, 'starting' | 'ending'> {
    const { viewers: wanted, ratePerSecond, grain } = target;
    this.targetNow = wanted;
    this.peakTarget = Math.max(this.peakTarget, wanted);
    this.settledMs = undefined;
    const { ended, remaining } = partsToEnd(this.activeParts, ({ group }) => group.publishers, target);
    this.leaving.push(...ended);
    const added = wanted - remaining;
    const starting = partsOf(added, grain).map((size) => this.part(size, (ratePerSecond * size) / added));
    this.activeParts.push(...starting);
    return { starting, ending: ended };
  }

  private part(publishers: number, ratePerSecond: number): GroupJob {
    const { publication, by } = this.group;
    const firstNumber = this.lastNumber + 1;
    this.lastNumber += publishers;
    const part = {
      publication: { ...publication, publishers, ratePerSecond },
      by,
      publishers,
      ratePerSecond,
      holdMs: 0,
    };
    return new GroupJob(part, this.node, this.tester, firstNumber);
  }
}
