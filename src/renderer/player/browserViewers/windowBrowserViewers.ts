import type { CallInput } from '../../../contract/engine';
import { type BrowserTarget, browserViewersOf, targetOf, watchMs } from '../../../domain/browserViewers/browserViewers';
import { byWindow } from '../../../domain/model/browserViewers';
import type { RunView } from '../../../domain/model/run';
import { errorText } from '../../../domain/text/errorText';
import type { PlayEngine } from '../protocols/playSession';
import { BrowserViewer } from './browserViewer';
import { BusyLimit } from './busyLimit';
import { DelayReaders } from './delayReaders';

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

const secondMs = 1000;
/** A tick this late means that the thread was busy, not that the videos stalled. */
const lateMs = 400;

interface BrowserViewersPlan {
  readonly run: string;
  /** At a time. */
  readonly planned: number;
  /** What the viewer of this number watches; undefined if there is nothing to watch. */
  readonly targetOf: (number: number) => BrowserTarget | undefined;
  /** 0 if unknown. */
  readonly frameRateOf: (target: BrowserTarget) => number;
}

interface SetParts {
  readonly engine: PlayEngine;
  /** CPU of this machine in percent of all cores; absent where it is not known. */
  readonly busyPercent?: () => Promise<number>;
  readonly onProblem: (sentence: string) => void;
}

/** The browser viewers of one run, in this page: each watches for 20 s, then the next one takes its place. */
class BrowserViewerSet {
  readonly #place = document.createElement('div');
  readonly #limit = new BusyLimit();
  readonly #delayReaders = new DelayReaders();
  readonly #timer: ReturnType<typeof setInterval>;
  /** With the time that each watches. */
  #viewers: ReadonlyArray<{ readonly viewer: BrowserViewer; readonly watchesForMs: number }> = [];
  #number = 0;
  #tickedMs = performance.now();
  #hasReported = true;
  readonly #forget = (): void => this.#viewers.forEach(({ viewer }) => viewer.forget());

  constructor(
    private readonly parts: SetParts,
    public plan: BrowserViewersPlan,
  ) {
    // In view, since a browser does not display what is not; too small to see.
    this.#place.style.cssText =
      'position: fixed; right: 0; bottom: 0; width: 2px; height: 2px; overflow: hidden; opacity: 0.01; pointer-events: none';
    this.#place.setAttribute('aria-hidden', 'true');
    document.body.append(this.#place);
    document.addEventListener('visibilitychange', this.#forget);
    this.#fill(plan.planned);
    this.#timer = setInterval(() => void this.#second(), secondMs);
  }

  /** Disconnects all of them. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    document.removeEventListener('visibilitychange', this.#forget);
    const ended = this.#viewers;
    this.#viewers = [];
    this.#place.remove();
    await Promise.all(ended.map(({ viewer }) => viewer.end()));
  }

  async #second(): Promise<void> {
    const nowMs = performance.now();
    const isLate = nowMs - this.#tickedMs > secondMs + lateMs;
    this.#tickedMs = nowMs;
    // A slow engine gets one report less, instead of several at once.
    if (!this.#hasReported) return;
    this.#hasReported = false;
    try {
      const limit = await this.#limited();
      const viewers = await Promise.all(this.#viewers.map(({ viewer }) => viewer.second(nowMs, isLate)));
      const report: CallInput<'browserViewers.report'> = { run: this.plan.run, viewers, ...(limit ? { limit } : {}) };
      this.#fill(limit?.viewers ?? this.plan.planned);
      await this.parts.engine.call('browserViewers.report', report);
    } catch (error) {
      this.parts.onProblem(`Figures of browser viewers were not recorded: ${errorText(error)}`);
    } finally {
      this.#hasReported = true;
    }
  }

  /** Fewer than planned on a busy machine. */
  async #limited(): Promise<CallInput<'browserViewers.report'>['limit']> {
    const { planned } = this.plan;
    const { busyPercent } = this.parts;
    if (!busyPercent) return undefined;
    const viewers = this.#limit.take(Math.min(100, await busyPercent()), planned);
    return viewers < planned ? { viewers, machineBusyPercent: this.#limit.meanPercent } : undefined;
  }

  /** Replaces those whose time is over, and starts or ends some until there are so many. */
  #fill(wanted: number): void {
    const nowMs = performance.now();
    const isFirst = this.#number === 0;
    const staying = this.#viewers
      .filter(({ viewer, watchesForMs }) => !viewer.isOver(nowMs, watchesForMs))
      .slice(0, wanted);
    for (const viewer of this.#viewers)
      if (!staying.includes(viewer))
        viewer.viewer.end().catch((error: unknown) => this.parts.onProblem(errorText(error)));
    const added = Array.from({ length: wanted - staying.length }, (_, index) => {
      const target = this.plan.targetOf(this.#number);
      if (!target) return undefined;
      const viewer = new BrowserViewer(
        this.parts.engine,
        this.#number,
        target,
        this.plan.frameRateOf(target),
        this.#place,
        this.#delayReaders.enter(),
      );
      this.#number += 1;
      // The first ones watch for different times, so that later one leaves at a time.
      return { viewer, watchesForMs: isFirst ? (watchMs * (index + 1)) / wanted : watchMs };
    });
    this.#viewers = [...staying, ...added.filter((each) => each !== undefined)];
  }
}
