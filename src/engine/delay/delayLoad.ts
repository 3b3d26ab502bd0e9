import { isPulled, type DelayPath } from '../../domain/delay/paths';
import type { NodeView } from '../../domain/model/node';
import { defaultExpectations, externalSource, type Plan } from '../../domain/model/plan';
import { planNodeName, settingsOf } from '../../domain/plan/planNodes';
import { formatViewers } from '../../domain/text/numberFormat';
import { FullhouseError } from '../../contract/calls';
import { waitUntil, type Clock } from '../base/clock';
import type { RunManager } from '../runs/runManager';

/** How long the viewers may take to connect. */
const connectMs = 30_000;
/** A plan's ramp-up may take longer. */
const rampUpMs = 30 * 60_000;
/** In a plan: until stopped. */
const holdMs = 0;
/** Of the viewers, for a load that is called by their number. */
const leastShare = 0.95;

type Runs = Pick<RunManager, 'view' | 'stopAll' | 'idle'>;

/** What a server does besides serving the player, while paths under load are measured: a run that is the test's own. */
export class DelayLoad {
  private run: string | undefined;
  /** Viewers that were connected when the load was complete. */
  private reached = 0;

  constructor(
    private readonly runs: Runs,
    private readonly clock: Clock,
    /** Starts a run of its own, to which nothing is added. */
    private readonly start: (plan: Plan) => Promise<string>,
    private readonly isOver: () => boolean,
  ) {}

  /** Connects viewers of this machine to the stream; resolves with what was reached, in words. */
  async pull(path: DelayPath, node: NodeView, stream: string, viewers: number): Promise<string> {
    await this.end();
    const what = `The ${formatViewers(viewers)} did not connect`;
    this.run = await this.start(viewersPlan(path, node, stream, viewers));
    await this.until(
      () => {
        const figures = this.view()?.figures;
        return figures !== undefined && figures.connected + figures.failed >= viewers;
      },
      connectMs,
      what,
    );
    const { connected = 0, failed = 0 } = this.view()?.figures ?? {};
    if (connected < leastShare * viewers && !this.isOver())
      throw new FullhouseError(
        'no-load',
        `${what}: ${connected} are connected, ${failed} failed; their run in Runs says why.`,
      );
    return this.noted();
  }

  /** Runs the plan until `end`; resolves when its audience holds. */
  async follow(plan: Plan): Promise<string> {
    if (this.isHolding()) return this.noted();
    await this.end();
    this.run = await this.start(plan);
    await this.until(() => this.isHolding(), rampUpMs, `The plan ${plan.name} did not reach its full load`);
    return this.noted();
  }

  isOwn(run: string): boolean {
    return this.run === run;
  }

  /** Throws if the load has not lasted until now. */
  requireComplete(): void {
    if (this.isOver()) return;
    const connected = this.view()?.figures.connected ?? 0;
    if (this.isHolding() && connected >= leastShare * this.reached) return;
    throw new FullhouseError(
      'no-load',
      `The load ended during the measurement: ${this.isHolding() ? `${connected} of ${formatViewers(this.reached)} were left` : 'its hold was over'}. Give it a longer hold, e.g. hold: 10m.`,
    );
  }

  /** Disconnects the viewers; their run is saved. */
  async end(): Promise<void> {
    const { run } = this;
    this.run = undefined;
    if (run === undefined || this.runs.view()?.id !== run) return;
    if (this.runs.view()?.state !== 'ended') await this.runs.stopAll(false);
    await this.runs.idle();
  }

  private noted(): string {
    const view = this.view();
    this.reached = view?.figures.connected ?? 0;
    const viewers = formatViewers(this.reached);
    return view && view.name !== nameOfLoad ? `${view.name}, ${viewers}` : viewers;
  }

  private isHolding(): boolean {
    const view = this.view();
    return view?.state === 'running' && view.phases.at(-1)?.name === 'hold';
  }

  private view(): ReturnType<Runs['view']> | undefined {
    const view = this.runs.view();
    return view?.id === this.run ? view : undefined;
  }

  private async until(isDone: () => boolean, limitMs: number, what: string): Promise<void> {
    const isReached = (): boolean => {
      if (isDone() || this.isOver()) return true;
      const view = this.view();
      if (!view || view.state === 'ended')
        throw new FullhouseError('no-load', `${what}: their run has ended; it says why in Runs.`);
      return false;
    };
    if (!(await waitUntil(this.clock, isReached, limitMs)))
      throw new FullhouseError('no-load', `${what} within ${Math.round(limitMs / 1000)} s.`);
  }
}

const nameOfLoad = 'Delay under load';

/** Viewers of this machine on the stream of a path. */
function viewersPlan({ play }: DelayPath, node: NodeView, stream: string, viewers: number): Plan {
  const origin = planNodeName(node);
  const tester = origin === 'local' ? 'local-2' : 'local';
  if (play === undefined || !isPulled(play))
    throw new FullhouseError('no-load', 'Agents do not pull over this protocol.');
  return {
    name: nameOfLoad,
    nodes: { [origin]: settingsOf(node), [tester]: { tester: 'local' } },
    publish: [{ stream, node: origin, source: externalSource }],
    pull: {
      ...{ stream, from: origin, by: [tester], protocol: play, viewers },
      ...{ ratePerSecond: Math.max(10, viewers / 5), holdMs, browserViewers: 0 },
    },
    expect: defaultExpectations,
  };
}
