import { randomBytes } from 'node:crypto';
import { FullhouseError } from '../../contract/calls';
import { cancelledProblem, type DecoderResult, type DelayOrder, type DelayView } from '../../contract/delayCalls';
import type { DelayFigures } from '../../domain/delay/figures';
import { samePublication, type DelayPath } from '../../domain/delay/paths';
import { delayFormat, type DelayRepeat, type DelayTable } from '../../domain/delay/table';
import type { NodeView } from '../../domain/model/node';
import type { Plan } from '../../domain/model/plan';
import type { PlayerProtocol } from '../../domain/model/playerProtocols';
import { errorText } from '../../domain/text/errorText';
import { formatViewers } from '../../domain/text/numberFormat';
import { waitUntil, type Clock } from '../base/clock';
import type { FleetNode } from '../fleet/node';
import type { RunManager } from '../runs/runManager';
import { newRunId } from '../store/id';
import { DecoderLink, publicationEnded } from './decoderLink';
import { DelayLoad } from './delayLoad';
import type { DelayTables } from './delayTables';
import { handshakeMs } from './handshake';
import { pathsOf, wantedPaths } from './testPaths';

/** A server may transcode before the first segment of a playlist exists. */
const playLimitMs = 90_000;
const publishLimitMs = 60_000;
/** A node that has just been added connects first. */
const knownWithinMs = 20_000;
const longestRemark = 1000;
const longestFailure = 2000;

/** What delay tests use. */
export interface DelayDeps {
  readonly clock: Clock;
  readonly node: (name: string) => FleetNode;
  readonly runs: Pick<RunManager, 'view' | 'stopAll' | 'idle' | 'activeRun'>;
  /** Throws unless a plan that is the load is allowed all that it does. */
  readonly requireAllowed: (under: Under) => void;
  /** Starts a run of viewers, or of a plan, to which nothing else is added. */
  readonly start: (plan: Plan, under: Under | undefined) => Promise<string>;
  /** Opens a browser of this machine for a test; resolves with its name and its end. */
  readonly startBrowser: (test: string) => Promise<{ readonly name: string; readonly end: () => void }>;
  readonly tables: DelayTables;
  readonly problem: (sentence: string) => void;
}

/** A plan that is the load, with what it is allowed. */
export interface Under {
  readonly plan: Plan;
  readonly allowHooks?: boolean | undefined;
  readonly allowNodes?: readonly string[] | undefined;
}

/** Played by the window that started the test. */
const windowName = 'this window';

/** What a page may publish and play for a test. */
export interface TestScope {
  readonly node: string;
  readonly streams: readonly string[];
}

class Cancelled extends Error {
  constructor() {
    super(cancelledProblem);
  }
}

/** One delay test, from its start until its table is kept. */
export class DelayTest {
  readonly id = randomBytes(8).toString('hex');
  readonly decoder: DecoderLink;
  readonly ended: Promise<void>;
  view: DelayView;
  private setEnded: () => void = () => undefined;
  private readonly cancellation: Promise<never>;
  private setCancelled: (why: Cancelled) => void = () => undefined;
  private isCancelled = false;
  private readonly streams: string[] = [];
  private readonly load: DelayLoad;
  private published: { readonly path: DelayPath; readonly stream: string; readonly failed?: string } | undefined;
  private loadWords: string | undefined;

  constructor(
    private readonly deps: DelayDeps,
    private readonly node: FleetNode,
    private readonly order: DelayOrder,
    private readonly under: Under | undefined,
    private readonly emit: (view: DelayView) => void,
  ) {
    this.ended = new Promise((resolve) => (this.setEnded = resolve));
    this.cancellation = new Promise((_, reject) => (this.setCancelled = reject));
    this.cancellation.catch(() => undefined); // of a test that waits for nothing
    const { measureMs, repeats } = order;
    this.view = { test: this.id, node: node.id, state: 'starting', repeats, measureMs, rows: [] };
    this.load = new DelayLoad(
      deps.runs,
      deps.clock,
      (plan) => deps.start(plan, plan === under?.plan ? under : undefined),
      () => this.isCancelled,
    );
    this.decoder = new DecoderLink(deps.clock, (step, share) => this.step(step, share));
  }

  get scope(): TestScope {
    return { node: this.node.id, streams: this.streams };
  }

  cancel(): void {
    if (this.isCancelled || this.view.state === 'ended') return;
    this.isCancelled = true;
    const why = new Cancelled();
    this.decoder.end(why.message);
    this.setCancelled(why);
  }

  /** Never rejects: what fails is in the view. */
  async measure(): Promise<void> {
    const { clock } = this.deps;
    const startedMs = clock.wall();
    let end = (): void => undefined;
    let decoder = windowName;
    let problem: string | undefined;
    try {
      if (this.order.startsBrowser) {
        const starting = this.deps.startBrowser(this.id);
        // One that has started when the test is over ends at once.
        end = () => void starting.then((late) => late.end()).catch(() => undefined);
        decoder = (await this.unlessCancelled(starting)).name;
      }
      await this.measureAll();
    } catch (error) {
      problem = errorText(error);
    }
    await this.load.end().catch((error: unknown) => (problem ??= errorText(error)));
    this.decoder.end('The delay test has ended.');
    end();
    await this.keep(startedMs, decoder, problem);
    this.setEnded();
  }

  private async measureAll(): Promise<void> {
    const { decoder, order, node } = this;
    const encodes = await decoder.ready;
    await this.unlessCancelled(node.start());
    const paths = wantedPaths(pathsOf(await this.known(), encodes), order, this.under !== undefined);
    this.show({ state: 'running', rows: paths.map((path) => ({ path, repeats: [] })) });
    for (let repeat = 0; repeat < order.repeats; repeat += 1) {
      for (let row = 0; row < paths.length; row += 1) {
        const path = paths[row];
        if (!path) continue;
        this.requireWanted();
        this.show({ now: { row, repeat, step: 'starting', share: 0 } });
        this.add(row, await this.repeatOf(path));
      }
      // Each repeat has connections of its own, so that what these vary by is part of the spread.
      await this.unpublish();
    }
  }

  private async repeatOf(path: DelayPath): Promise<DelayRepeat> {
    try {
      const { delay, remark } = await this.measured(path);
      this.requireWanted();
      if (!delay) return { failed: 'The decoder reported no delay.' };
      return { delay, ...(remark === undefined ? {} : { remark: remark.slice(0, longestRemark) }) };
    } catch (error) {
      this.requireWanted();
      const code = error instanceof FullhouseError ? error.code : undefined;
      // Without a decoder nothing else can be measured either.
      if (code === 'no-decoder') throw error;
      if (code === publicationEnded) this.published = undefined;
      return { failed: errorText(error).slice(0, longestFailure) };
    }
  }

  private async measured(path: DelayPath): Promise<DecoderResult> {
    const { decoder, order, node } = this;
    const { measureMs } = order;
    if (!path.isUnderLoad) await this.load.end();
    const others = this.otherRun();
    if (path.publish === undefined || path.play === undefined) {
      await this.unpublish();
      const shown = await decoder.do({ kind: 'display', media: path.media, measureMs }, measureMs + playLimitMs);
      return remarked(shown, others);
    }
    const { stream, remark } = await this.publish(path);
    const load = path.isUnderLoad ? await this.startLoad(path, stream) : undefined;
    const result = await decoder.do(
      {
        ...{ kind: 'play', node: node.id, stream, protocol: path.play, measureMs },
        hasShortBuffer: path.hasShortBuffer === true,
      },
      measureMs + playLimitMs,
    );
    if (path.isUnderLoad) this.load.requireComplete();
    const delay = result.delay && (await this.withRoundTrip(result.delay, path.play, stream));
    return remarked({ ...result, ...(delay ? { delay } : {}) }, remark, result.remark, load, others);
  }

  /** A run that is not the test's own loads the server, too. */
  private otherRun(): string | undefined {
    const { activeRun, view } = { activeRun: this.deps.runs.activeRun, view: this.deps.runs.view() };
    return activeRun && !this.load.isOwn(activeRun.id) ? `while ${view?.name ?? 'a run'} was active` : undefined;
  }

  /** Players over TCP measure no round trip. */
  private async withRoundTrip(delay: DelayFigures, play: PlayerProtocol, stream: string): Promise<DelayFigures> {
    if (delay.rttMs !== undefined) return delay;
    const address = this.node.server.addresses(stream).play[play];
    const rttMs = address === undefined ? undefined : await handshakeMs(address, this.deps.clock);
    return rttMs === undefined ? delay : { ...delay, rttMs };
  }

  private async startLoad(path: DelayPath, stream: string): Promise<string> {
    const { under, order, node, load } = this;
    const viewers = order.viewers ?? 0;
    this.step(under ? `starting ${under.plan.name}` : `connecting ${formatViewers(viewers)}`, 0);
    const words = under ? await load.follow(under.plan) : await load.pull(path, node.view(), stream, viewers);
    this.loadWords = words;
    return words;
  }

  /** One publication serves all paths of the same media that follow each other. */
  private async publish(path: DelayPath): Promise<{ readonly stream: string; readonly remark?: string | undefined }> {
    const { published, node, decoder } = this;
    if (published && samePublication(published.path, path)) {
      if (published.failed !== undefined) throw new FullhouseError('not-measured', published.failed);
      return published;
    }
    await this.unpublish();
    // A new name: a server may keep an earlier stream for a while.
    const stream = `delay-${randomBytes(4).toString('hex')}`;
    this.streams.push(stream);
    const { publish: protocol = 'whip', media } = path;
    try {
      const { remark } = await decoder.do({ kind: 'publish', node: node.id, stream, protocol, media }, publishLimitMs);
      this.published = { path, stream };
      return { stream, remark };
    } catch (error) {
      this.published = { path, stream, failed: errorText(error) };
      throw error;
    }
  }

  private async unpublish(): Promise<void> {
    // Viewers of the stream leave first.
    if (!this.under) await this.load.end();
    const { published } = this;
    this.published = undefined;
    if (!published || published.failed !== undefined) return;
    try {
      await this.decoder.do({ kind: 'unpublish' }, publishLimitMs);
    } catch (error) {
      if (error instanceof FullhouseError && error.code === 'no-decoder') throw error;
      // The next one has another name.
      this.deps.problem(`${published.stream} of the delay test may still be on ${this.node.id}: ${errorText(error)}`);
    }
  }

  /** The node with what it can do, which shows once it has responded. */
  private async known(): Promise<NodeView> {
    const isKnown = (): boolean => {
      this.requireWanted();
      const { can, server, state } = this.node.view();
      return can !== undefined || (server === 'lab' && state === 'live');
    };
    await waitUntil(this.deps.clock, isKnown, knownWithinMs);
    return this.node.view();
  }

  private requireWanted(): void {
    if (this.isCancelled) throw new Cancelled();
  }

  private unlessCancelled<T>(waited: Promise<T>): Promise<T> {
    return Promise.race([waited, this.cancellation]);
  }

  private step(step: string, share: number): void {
    if (this.view.now) this.show({ now: { ...this.view.now, step, share } });
  }

  private add(at: number, repeat: DelayRepeat): void {
    this.show({
      rows: this.view.rows.map((row, index) => (index === at ? { ...row, repeats: [...row.repeats, repeat] } : row)),
    });
  }

  private show(change: Partial<DelayView>): void {
    this.view = { ...this.view, ...change };
    this.emit(this.view);
  }

  /** What was measured is kept, also when the test ends early. */
  private async keep(startedMs: number, decoder: string, problem: string | undefined): Promise<void> {
    const { now: _, ...view } = this.view;
    const { order, node, deps } = this;
    const { name, software } = node.view();
    const isAny = view.rows.some(({ repeats }) => repeats.length > 0);
    const early = this.isCancelled ? { isCancelled: true as const } : { problem: problem?.slice(0, longestFailure) };
    const table: DelayTable | undefined = isAny
      ? {
          fullhouseDelay: delayFormat,
          id: newRunId(order.name ?? `delay ${name}`, startedMs),
          name: order.name ?? `Delay of ${name}`,
          node: name,
          ...(software === undefined ? {} : { software: software.slice(0, 200) }),
          ...{ startedMs, endedMs: Math.max(startedMs, deps.clock.wall()), decoder, measuredMs: order.measureMs },
          ...(this.loadWords === undefined ? {} : { load: this.loadWords.slice(0, 300) }),
          ...(problem === undefined ? {} : early),
          rows: view.rows,
        }
      : undefined;
    let sentence = problem;
    let kept = table;
    try {
      if (table) kept = await deps.tables.keep(table);
    } catch (error) {
      sentence = [sentence, errorText(error)].filter((each) => each !== undefined).join(' ');
    }
    this.view = {
      ...view,
      state: 'ended',
      ...(kept ? { table: kept } : {}),
      ...(sentence === undefined ? {} : { problem: sentence }),
    };
    this.emit(this.view);
  }
}

const remarked = (result: DecoderResult, ...remarks: readonly (string | undefined)[]): DecoderResult => {
  const { remark: _, ...rest } = result;
  const remark = [...new Set([...remarks.filter((each) => each !== undefined)])].join(', ');
  return remark === '' ? rest : { ...rest, remark };
};
