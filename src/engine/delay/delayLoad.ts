import { isPulled, type DelayPath } from '../../domain/delay/paths';
import type { NodeView } from '../../domain/model/node';
import { defaultExpectations, externalSource, type Plan } from '../../domain/model/plan';
import { planNodeName, settingsOf } from '../../domain/plan/planNodes';
import { formatViewers } from '../../domain/text/numberFormat';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import type { RunManager } from '../runs/runManager';

/** How long the viewers may take to connect. */
const connectMs = 30_000;
/** A plan's ramp-up may take longer. */
const rampUpMs = 30 * 60_000;
const tickMs = 200;
/** In a plan: until stopped. */
const holdMs = 0;

type Runs = Pick<RunManager, 'view' | 'stopAll' | 'idle'>;

/** What a server does besides serving the player, while paths under load are measured. */
export class DelayLoad {
  private run: string | undefined;

  constructor(
    private readonly runs: Runs,
    private readonly clock: Clock,
    private readonly start: (plan: Plan) => Promise<string>,
  ) {}

  get isActive(): boolean {
    return this.run !== undefined;
  }

  /** Connects viewers of this machine to the stream; resolves with what was reached, in words. */
  async pull(path: DelayPath, node: NodeView, stream: string, viewers: number, isOver: () => boolean): Promise<string> {
    await this.end();
    this.run = await this.start(viewersPlan(path, node, stream, viewers));
    const isFull = (): boolean => {
      const figures = this.view()?.figures;
      return figures !== undefined && figures.connected + figures.failed >= viewers;
    };
    await this.until(isFull, connectMs, isOver, `The ${formatViewers(viewers)} did not connect`);
    return formatViewers(this.view()?.figures.connected ?? 0);
  }

  /** Runs the plan until `end`; resolves when its audience holds. */
  async follow(plan: Plan, isOver: () => boolean): Promise<string> {
    if (this.run !== undefined && this.view()?.state === 'running') return this.words();
    this.run = await this.start(plan);
    const isHolding = (): boolean => this.view()?.phases.some(({ name }) => name === 'hold') === true;
    await this.until(isHolding, rampUpMs, isOver, `The plan ${plan.name} did not reach its full load`);
    return this.words();
  }

  /** Disconnects the viewers; their run is saved. */
  async end(): Promise<void> {
    const { run } = this;
    this.run = undefined;
    if (run === undefined || this.runs.view()?.id !== run) return;
    if (this.runs.view()?.state !== 'ended') await this.runs.stopAll(false);
    await this.runs.idle();
  }

  private words(): string {
    const view = this.view();
    return view ? `${view.name}, ${formatViewers(view.figures.connected)}` : 'the plan';
  }

  private view(): ReturnType<Runs['view']> | undefined {
    const view = this.runs.view();
    return view?.id === this.run ? view : undefined;
  }

  private async until(isDone: () => boolean, limitMs: number, isOver: () => boolean, what: string): Promise<void> {
    const endMs = this.clock.now() + limitMs;
    while (!isDone()) {
      if (isOver()) return;
      const view = this.view();
      if (!view || view.state === 'ended')
        throw new FullhouseError('no-load', `${what}: their run has ended; it says why in Runs.`);
      if (this.clock.now() > endMs)
        throw new FullhouseError('no-load', `${what} within ${Math.round(limitMs / 1000)} s.`);
      await wait(this.clock, tickMs);
    }
  }
}

const wait = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

/** Viewers of this machine on the stream of a path. */
function viewersPlan({ play }: DelayPath, node: NodeView, stream: string, viewers: number): Plan {
  const origin = planNodeName(node);
  if (play === undefined || !isPulled(play))
    throw new FullhouseError('no-load', 'Agents do not pull over this protocol.');
  return {
    name: 'Delay under load',
    nodes: { [origin]: settingsOf(node), local: { tester: 'local' } },
    publish: [{ stream, node: origin, source: externalSource }],
    pull: {
      ...{ stream, from: origin, by: ['local'], protocol: play, viewers },
      ...{ ratePerSecond: Math.max(10, viewers / 5), holdMs, browserViewers: 0 },
    },
    expect: defaultExpectations,
  };
}
