import { randomBytes } from 'node:crypto';
import { FullhouseError } from '../../contract/calls';
import type { DecoderResult, DelayOrder, DelayView } from '../../contract/delayCalls';
import type { DelayFigures } from '../../domain/delay/figures';
import { delayPaths, samePublication, type DelayPath } from '../../domain/delay/paths';
import { delayFormat, type DelayRepeat, type DelayTable } from '../../domain/delay/table';
import { playableOf, type PlayerProtocol } from '../../domain/model/playerProtocols';
import type { NodeView } from '../../domain/model/node';
import type { Plan } from '../../domain/model/plan';
import { windowProtocolsOf } from '../../domain/model/publishMedia';
import type { VideoCodec } from '../../domain/model/videoCodecs';
import { errorText } from '../../domain/text/errorText';
import { formatViewers } from '../../domain/text/numberFormat';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import type { FleetNode } from '../fleet/node';
import type { RunManager } from '../runs/runManager';
import { newRunId } from '../store/id';
import { DecoderLink } from './decoderLink';
import { DelayLoad } from './delayLoad';
import type { DelayTables } from './delayTables';
import { handshakeMs } from './handshake';

/** A server may transcode before the first segment of a playlist exists. */
const playLimitMs = 90_000;
const publishLimitMs = 60_000;
/** A node that has just been added connects first. */
const knownWithinMs = 20_000;
const tickMs = 200;

interface DelayDeps {
  readonly clock: Clock;
  readonly node: (name: string) => FleetNode;
  readonly runs: Pick<RunManager, 'view' | 'stopAll' | 'idle' | 'activeRun'>;
  /** Starts a run of viewers, or of the person's plan. */
  readonly start: (plan: Plan, of: Under | undefined) => Promise<string>;
  /** Opens a browser of this machine for a test; resolves with its name and its end. */
  readonly startBrowser: (test: string) => Promise<{ readonly name: string; readonly end: () => void }>;
  readonly tables: DelayTables;
}

/** A plan that is the load, with what the person has allowed it. */
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

/** The paths of a server that a decoder which encodes these codecs can measure. */
export const pathsOf = ({ can, server }: NodeView, encodes: readonly VideoCodec[]): readonly DelayPath[] =>
  delayPaths({
    publish: windowProtocolsOf(can?.publish),
    play: playableOf(can?.play ?? (server === 'lab' ? ['whep'] : [])),
    encodes,
  });

/** The paths of an order: under load those that a load was asked for. */
export function wantedPaths(
  all: readonly DelayPath[],
  { paths, viewers }: Pick<DelayOrder, 'paths' | 'viewers'>,
  hasPlan: boolean,
): readonly DelayPath[] {
  const chosen = paths === undefined ? all : all.filter(({ id }) => paths.includes(id));
  if (!hasPlan) return chosen.filter(({ isUnderLoad }) => !isUnderLoad || viewers !== undefined);
  const idle = chosen.filter(({ isUnderLoad }) => !isUnderLoad);
  // All of the plan's load at once, after what is measured without it.
  const loaded = idle
    .filter(({ publish }) => publish !== undefined)
    .map((path) => ({ ...path, id: `${path.id} load`, title: `${path.title}, under load`, isUnderLoad: true }));
  return [...idle, ...loaded];
}

/** Conducts delay tests: one at a time, path after path, all paths again in each repeat. */
export class DelayTests {
  readonly changed = new Emitter<DelayView>();
  private current: DelayTest | undefined;

  constructor(private readonly deps: DelayDeps) {}

  get view(): DelayView | undefined {
    return this.current?.view;
  }

  /** What the decoder of a running test may use; undefined for another one. */
  scope(test: string): TestScope | undefined {
    return this.running(test)?.scope;
  }

  /** Throws `busy` while another test runs, or a run is active that the load would be added to. */
  start(order: DelayOrder, under?: Under): { readonly test: string } {
    if (this.current && this.current.view.state !== 'ended')
      throw new FullhouseError('busy', 'A delay test is running; cancel it, or wait for its end.');
    if ((under !== undefined || order.viewers !== undefined) && this.deps.runs.activeRun)
      throw new FullhouseError(
        'busy',
        'A run is active, which the load of the delay test would disturb; stop it first.',
      );
    const node = this.deps.node(order.node);
    const test = new DelayTest(this.deps, node, order, under, (view) => this.changed.emit(view));
    this.current = test;
    void test.measure();
    return { test: test.id };
  }

  next(test: string, encodes: readonly VideoCodec[], result?: DecoderResult): ReturnType<DecoderLink['next']> {
    return this.running(test)?.decoder.next(encodes, result) ?? Promise.resolve(null);
  }

  progress(test: string, step: string, share: number): boolean {
    return this.running(test)?.decoder.progress(step, share) ?? false;
  }

  cancel(): void {
    this.current?.cancel('It was cancelled.');
  }

  /** The page that plays for a test is gone. */
  decoderLost(test: string): void {
    this.running(test)?.cancel('What played the pictures has closed.');
  }

  /** Resolves when the current test has ended and its table is kept. */
  async close(): Promise<void> {
    this.cancel();
    await this.current?.ended;
  }

  private running(test: string): DelayTest | undefined {
    return this.current?.id === test && this.current.view.state !== 'ended' ? this.current : undefined;
  }
}

class DelayTest {
  readonly id = randomBytes(8).toString('hex');
  readonly decoder: DecoderLink;
  readonly ended: Promise<void>;
  view: DelayView;
  private setEnded: () => void = () => undefined;
  private readonly streams: string[] = [];
  private readonly load: DelayLoad;
  private published: { readonly path: DelayPath; readonly stream: string; readonly failed?: string } | undefined;
  private cancelled: string | undefined;
  private loadWords: string | undefined;

  constructor(
    private readonly deps: DelayDeps,
    private readonly node: FleetNode,
    private readonly order: DelayOrder,
    private readonly under: Under | undefined,
    private readonly emit: (view: DelayView) => void,
  ) {
    this.ended = new Promise((resolve) => (this.setEnded = resolve));
    const { repeats, measureMs } = order;
    this.view = { test: this.id, node: node.id, state: 'starting', repeats, measureMs, rows: [] };
    this.load = new DelayLoad(deps.runs, deps.clock, (plan) =>
      deps.start(plan, plan === under?.plan ? under : undefined),
    );
    this.decoder = new DecoderLink(deps.clock, (step, share) => this.step(step, share));
  }

  get scope(): TestScope {
    return { node: this.node.id, streams: this.streams };
  }

  cancel(why: string): void {
    if (this.view.state === 'ended') return;
    this.cancelled ??= why;
    this.decoder.end(why);
  }

  /** Never rejects: what fails is in the view. */
  async measure(): Promise<void> {
    const { clock, startBrowser } = this.deps;
    const startedMs = clock.wall();
    let end = (): void => undefined;
    let decoder = windowName;
    let problem: string | undefined;
    try {
      if (this.order.startsBrowser) {
        const browser = await startBrowser(this.id);
        decoder = browser.name;
        end = browser.end;
      }
      await this.measureAll();
    } catch (error) {
      problem = this.cancelled ?? errorText(error);
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
    await node.start();
    const paths = wantedPaths(pathsOf(await this.known(), encodes), order, this.under !== undefined);
    if (!paths.some(({ publish }) => publish !== undefined))
      throw new FullhouseError(
        'no-path',
        `${node.id} has no path that can be measured: it needs a protocol over which a browser or ffmpeg publishes (WHIP, LiveKit, WCS, RTMP, SRT) and one that a browser plays, and a chosen path must be one of them.`,
      );
    this.show({ state: 'running', rows: paths.map((path) => ({ path, repeats: [] })) });
    for (let repeat = 0; repeat < order.repeats; repeat += 1) {
      for (let row = 0; row < paths.length; row += 1) {
        const path = paths[row];
        if (!path) continue;
        if (this.cancelled !== undefined) throw new Error(this.cancelled);
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
      if (!delay) return { failed: 'The decoder reported no delay.' };
      return { delay, ...(remark === undefined ? {} : { remark }) };
    } catch (error) {
      if (this.cancelled !== undefined) throw error;
      // Without a decoder nothing else can be measured either.
      if (error instanceof FullhouseError && error.code === 'no-decoder') throw error;
      return { failed: errorText(error).slice(0, 2000) };
    }
  }

  private async measured(path: DelayPath): Promise<DecoderResult> {
    const { decoder, order, node } = this;
    const { measureMs } = order;
    if (path.publish === undefined || path.play === undefined) {
      await this.unpublish();
      return decoder.do({ kind: 'display', media: path.media, measureMs }, measureMs + playLimitMs);
    }
    if (!path.isUnderLoad) await this.load.end();
    const { stream, remark } = await this.publish(path);
    const load = path.isUnderLoad ? await this.startLoad(path, stream) : undefined;
    const result = await decoder.do(
      {
        ...{ kind: 'play', node: node.id, stream, protocol: path.play, measureMs },
        hasShortBuffer: path.hasShortBuffer === true,
      },
      measureMs + playLimitMs,
    );
    const remarks = [remark, result.remark, load].filter((each) => each !== undefined);
    const delay = result.delay && (await this.withRoundTrip(result.delay, path.play, stream));
    return { ...result, ...(delay ? { delay } : {}), ...(remarks.length > 0 ? { remark: remarks.join(', ') } : {}) };
  }

  /** Players over TCP measure no round trip. */
  private async withRoundTrip(delay: DelayFigures, play: PlayerProtocol, stream: string): Promise<DelayFigures> {
    if (delay.rttMs !== undefined) return delay;
    const address = this.node.server.addresses(stream).play[play];
    const rttMs = address === undefined ? undefined : await handshakeMs(address, this.deps.clock);
    return rttMs === undefined ? delay : { ...delay, rttMs };
  }

  private async startLoad(path: DelayPath, stream: string): Promise<string> {
    const isOver = (): boolean => this.cancelled !== undefined;
    const { under, order, node, load } = this;
    if (under) {
      this.step(`starting ${under.plan.name}`, 0);
      this.loadWords = await load.follow(under.plan, isOver);
      return this.loadWords;
    }
    const viewers = order.viewers ?? 0;
    this.step(`connecting ${formatViewers(viewers)}`, 0);
    const words = await load.pull(path, node.view(), stream, viewers, isOver);
    this.loadWords = formatViewers(viewers);
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
    if (published && published.failed === undefined) await this.decoder.do({ kind: 'unpublish' }, publishLimitMs);
  }

  /** The node with what it can do, which shows once it has responded. */
  private async known(): Promise<NodeView> {
    const { clock } = this.deps;
    const endMs = clock.now() + knownWithinMs;
    for (;;) {
      const view = this.node.view();
      if (view.can !== undefined || (view.server === 'lab' && view.state === 'live') || clock.now() > endMs)
        return view;
      if (this.cancelled !== undefined) throw new Error(this.cancelled);
      await new Promise<void>((resolve) => void clock.after(tickMs, resolve));
    }
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
    const table: DelayTable | undefined = isAny
      ? {
          fullhouseDelay: delayFormat,
          id: newRunId(order.name ?? `delay ${name}`, startedMs),
          name: order.name ?? `Delay of ${name}`,
          node: name,
          ...(software === undefined ? {} : { software: software.slice(0, 200) }),
          ...{ startedMs, endedMs: Math.max(startedMs, deps.clock.wall()), decoder, measuredMs: order.measureMs },
          ...(this.loadWords === undefined ? {} : { load: this.loadWords.slice(0, 300) }),
          ...(problem === undefined ? {} : { isCancelled: true }),
          rows: view.rows,
        }
      : undefined;
    let sentence = problem;
    try {
      if (table) await deps.tables.keep(table);
    } catch (error) {
      sentence ??= errorText(error);
    }
    this.view = {
      ...view,
      state: 'ended',
      ...(table ? { table } : {}),
      ...(sentence === undefined ? {} : { problem: sentence }),
    };
    this.emit(this.view);
  }
}
