import { browserViewersOf, targetOf } from '../../../domain/browserViewers/browserViewers';
import { byWindow } from '../../../domain/model/browserViewers';
import type { RunView } from '../../../domain/model/run';
import { BrowserViewerSet, type BrowserViewersPlan } from './browserViewerSet';

/** Runs the browser viewers of the active run in this page, while its audience is connected. */
export class WindowBrowserViewers {
  #set: BrowserViewerSet | undefined;

  constructor(
    private readonly parts: ConstructorParameters<typeof BrowserViewerSet>[0],
    /** Only runs whose browser viewers are to be run by this one. */
    private readonly by: string = byWindow,
  ) {}

  /** The active run has changed; null when there is none. */
  follow(run: RunView | null): void {
    const plan = run && this.#planOf(run);
    if (!plan) return this.end();
    if (this.#set?.plan.run !== plan.run) {
      this.end();
      this.#set = new BrowserViewerSet(this.parts, plan);
    } else this.#set.plan = plan;
  }

  end(): void {
    const ending = this.#set;
    this.#set = undefined;
    ending?.end().catch((error: unknown) => this.parts.onProblem(String(error)));
  }

  #planOf({ id, state, plan, phases, nodes, browserViewers }: RunView): BrowserViewersPlan | undefined {
    const phase = phases.at(-1)?.name;
    const isWatched = state === 'running' && (phase === 'ramp' || phase === 'hold');
    if (!isWatched || browserViewers?.by !== this.by || browserViewers.planned === 0) return undefined;
    const { count, pulls } = browserViewersOf(plan, true);
    return {
      run: id,
      planned: count,
      targetOf: (number) => targetOf(number, pulls),
      frameRateOf: ({ node, stream }) =>
        nodes.find((each) => each.id === node)?.streams.find((each) => each.stream === stream)?.fps ?? 0,
    };
  }
}
