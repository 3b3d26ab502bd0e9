import type { NodeView } from '../../../domain/model/node';
import { defaultExpectations, externalSource, type Plan } from '../../../domain/model/plan';
import { planNodeName, settingsOf } from '../../../domain/plan/planNodes';
import type { RunView } from '../../../domain/model/run';
import type { WindowClient } from '../../client/connection';
import type { DelaySummary } from '../../player/clock/delaySamples';
import { GlassReader } from '../../player/clock/glassToGlass';
import { ControlPlayer } from '../../player/controlPlayer.svelte';
import { errorText } from '../../../domain/text/errorText';
import type { PublishSession } from '../../player/publish/publishSession';
import { publishFrom, type PublishSource } from '../../player/publish/publishSources';
import { startSession } from '../../player/publish/startSession';
import { isPulled, samePublication, type DelayRow } from './delayRows';
import type { DelayState } from './delayTable';

/** Until the first picture: an HLS playlist needs several segments. */
const firstPictureMs = 45_000;
/** After it, while jitter buffers and encoders settle: not measured. */
const settleMs = 3000;
const connectMs = 30_000;
const tickMs = 200;

export interface DelayOrder {
  readonly node: NodeView;
  readonly rows: readonly DelayRow[];
  /** Duration of the measurement of each path. */
  readonly measureMs: number;
  /** Viewers under load. */
  readonly viewers: number;
}

class Cancelled extends Error {}

interface Published {
  readonly row: DelayRow;
  readonly session: PublishSession;
  readonly stream: string;
}

/** Measures the glass-to-glass delay of one path after the other, in this window. */
export class DelayTest {
  /** By the ids of the rows. */
  states = $state.raw<Readonly<Record<string, DelayState>>>({});
  isRunning = $state(false);
  readonly player: ControlPlayer;
  readonly #engine: WindowClient;
  #video: HTMLVideoElement | undefined;
  #ending = new AbortController();
  #published: Published | undefined;
  #load: string | undefined;
  #running = Promise.resolve();
  #run: RunView | null = null;
  readonly #unsubscribe: () => void;

  constructor(engine: WindowClient) {
    this.#engine = engine;
    this.player = new ControlPlayer({ engine, isRecorded: false });
    this.#unsubscribe = engine.on('run', (run) => (this.#run = run));
  }

  /** Where the paths are played. Returns the cleanup function. */
  attach(video: HTMLVideoElement): () => void {
    this.#video = video;
    return this.player.attach(video);
  }

  /** Never rejects: what fails is in the state of its row. */
  async start(order: DelayOrder): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.#running = this.#measureAll(order);
    await this.#running;
    this.isRunning = false;
  }

  async #measureAll(order: DelayOrder): Promise<void> {
    this.#ending = new AbortController();
    this.states = {};
    for (const row of order.rows) {
      if (this.#ending.signal.aborted) break;
      try {
        const { delay, remark } = await this.#measure(row, order);
        this.#set(row, { kind: 'done', delay, ...(remark === undefined ? {} : { remark }) });
      } catch (error) {
        this.#set(
          row,
          error instanceof Cancelled ? { kind: 'waiting' } : { kind: 'failed', sentence: errorText(error) },
        );
      }
      this.player.watch(undefined);
    }
    await this.#endPublishing();
    await this.#endLoad();
  }

  cancel(): void {
    this.#ending.abort();
  }

  dispose(): void {
    this.cancel();
    this.player.dispose();
    // Until then the state of the run is needed, to wait for its end.
    void this.#running.then(() => this.#unsubscribe());
  }

  async #measure(
    row: DelayRow,
    order: DelayOrder,
  ): Promise<{ readonly delay: DelaySummary; readonly remark?: string }> {
    const { publish, play } = row;
    if (publish === undefined || play === undefined) return { delay: await this.#measureWindow(row, order) };
    this.#step(row, 'publishing');
    const { session, stream } = await this.#publish(row, order);
    const target = { node: order.node.id, stream };
    if (row.media.layers > 1 && session.remark !== undefined) throw new Error(session.remark);
    if (row.isUnderLoad) {
      this.#step(row, `connecting ${order.viewers} viewers`);
      await this.#startLoad(row, stream, order);
    } else await this.#endLoad();
    this.#step(row, 'waiting for the picture');
    this.player.watch(target, play);
    const { player } = this;
    let lastProblem = `No picture of ${stream} within ${firstPictureMs / 1000} s.`;
    await this.#until(
      firstPictureMs,
      () => {
        if (player.state.kind === 'waiting') lastProblem = player.state.sentence;
        return player.delaySince(performance.now() - 2 * settleMs) !== undefined;
      },
      () => lastProblem,
    );
    const delay = await this.#measured(row, order.measureMs, (startMs) => player.delaySince(startMs));
    const isParts = player.figures?.buffer?.hasParts === true;
    const remarks = [
      ...(isParts ? ['LL-HLS'] : []),
      ...(row.isUnderLoad ? [`${this.#run?.figures.connected ?? order.viewers} viewers`] : []),
    ];
    return { delay, ...(remarks.length > 0 ? { remark: remarks.join(', ') } : {}) };
  }

  /** Without encoder and server: what display and clock reading need. */
  async #measureWindow(row: DelayRow, { measureMs }: DelayOrder): Promise<DelaySummary> {
    await this.#endPublishing();
    const video = this.#video;
    if (!video) throw new Error('There is no place to display the test pattern.');
    const source: PublishSource = await publishFrom({ kind: 'pattern', streamName: 'window', media: row.media });
    const reader = new GlassReader();
    let isPlaying = true;
    const onFrame = (_: number, frame: VideoFrameCallbackMetadata): void => {
      if (!isPlaying) return;
      reader.onFrame(video, frame);
      video.requestVideoFrameCallback(onFrame);
    };
    try {
      video.srcObject = source.stream;
      video.requestVideoFrameCallback(onFrame);
      return await this.#measured(row, measureMs, (startMs) => {
        const nowMs = performance.now();
        return reader.samples.summary(nowMs, nowMs - startMs);
      });
    } finally {
      isPlaying = false;
      video.srcObject = null;
      reader.close();
      source.stop();
    }
  }

  async #measured(
    row: DelayRow,
    measureMs: number,
    read: (startMs: number) => DelaySummary | undefined,
  ): Promise<DelaySummary> {
    this.#step(row, 'settling');
    await this.#wait(settleMs);
    const startMs = performance.now();
    while (performance.now() - startMs < measureMs) {
      this.#step(row, 'measuring', (performance.now() - startMs) / measureMs);
      await this.#wait(tickMs);
    }
    const delay = read(startMs);
    if (!delay)
      throw new Error('The clock of the test pattern could not be read: the picture is frozen or too damaged.');
    return delay;
  }

  async #publish(row: DelayRow, { node }: DelayOrder): Promise<Published> {
    if (this.#published && samePublication(this.#published.row, row)) return this.#published;
    await this.#endPublishing();
    if (node.server === 'lab' && node.state !== 'live') await this.#engine.call('lab.start', {});
    // A new name: a server may keep an earlier stream for a while.
    const stream = `delay-${Math.random().toString(36).slice(2, 8)}`;
    const { media, publish = 'whip' } = row;
    const source = await publishFrom({ kind: 'pattern', streamName: stream, media });
    const order = {
      ...{ engine: this.#engine, target: { node: node.id, stream }, source, media },
      listener: {
        figures: () => undefined,
        ended: () => (this.#published = undefined),
      },
    };
    const session = await startSession(order, publish);
    this.#published = { row, session, stream };
    return this.#published;
  }

  async #endPublishing(): Promise<void> {
    await this.#endLoad();
    const session = this.#published?.session;
    this.#published = undefined;
    await session?.end();
  }

  async #startLoad(row: DelayRow, stream: string, order: DelayOrder): Promise<void> {
    const { run } = await this.#engine.call('runs.start', { plan: loadPlan(row, stream, order) });
    this.#load = run;
    const isFull = (): boolean =>
      this.#run?.id === run && this.#run.figures.connected + this.#run.figures.failed >= order.viewers;
    await this.#until(
      connectMs,
      isFull,
      () => `The ${order.viewers} viewers did not connect within ${connectMs / 1000} s.`,
    );
  }

  /** Disconnects the viewers; their run is saved. */
  async #endLoad(): Promise<void> {
    if (this.#load === undefined) return;
    const load = this.#load;
    this.#load = undefined;
    const { jobs, run } = await this.#engine.call('engine.state', {});
    if (run?.id !== load || run.state === 'ended') return;
    for (const job of jobs)
      if (job.kind === 'pull' && job.state !== 'ended')
        await this.#engine.call('runs.stopJob', { job: job.id, force: false });
    const endMs = performance.now() + connectMs;
    while (this.#run?.id === load && this.#run.state !== 'ended' && performance.now() < endMs)
      await new Promise((resolve) => setTimeout(resolve, tickMs));
  }

  #set(row: DelayRow, state: DelayState): void {
    this.states = { ...this.states, [row.id]: state };
  }

  #step(row: DelayRow, step: string, share = 0): void {
    this.#set(row, { kind: 'running', step, share });
  }

  async #until(limitMs: number, isDone: () => boolean, problem: () => string): Promise<void> {
    const endMs = performance.now() + limitMs;
    while (!isDone()) {
      if (performance.now() > endMs) throw new Error(problem());
      await this.#wait(tickMs);
    }
  }

  async #wait(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (this.#ending.signal.aborted) throw new Cancelled();
  }
}

/** Viewers of this machine on the stream, for as long as it is measured. */
function loadPlan({ play }: DelayRow, stream: string, { node, viewers, measureMs }: DelayOrder): Plan {
  const origin = planNodeName(node);
  if (play === undefined || !isPulled(play)) throw new Error('Agents do not pull over this protocol.');
  return {
    name: 'Delay under load',
    nodes: { [origin]: settingsOf(node), local: { tester: 'local' } },
    publish: [{ stream, node: origin, source: externalSource }],
    pull: {
      ...{ stream, from: origin, by: ['local'], protocol: play, viewers },
      ...{
        ratePerSecond: Math.max(10, viewers / 5),
        holdMs: measureMs + connectMs + firstPictureMs,
        browserViewers: 0,
      },
    },
    expect: defaultExpectations,
  };
}
