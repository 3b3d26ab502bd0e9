import { isAudienceId } from '../../domain/model/audience';
import type { NodeView } from '../../domain/model/node';
import type { JobView, RunEvent, RunView } from '../../domain/model/run';
import type { SampleBatch, SeriesId } from '../../domain/series/series';
import type { EngineState } from '../../contract/engine';
import { SampleStore } from '../charts/sampleStore';
import { TimeAxis } from '../charts/timeAxis.svelte';
import type { WindowClient } from '../client/connection';
import type { ChartsInView } from '../charts/chartGridProps';
import { RunHistory, sourceOfWatched } from './runHistory';
import { RunRecord } from './runRecord.svelte';

const fleetSeries: ReadonlySet<SeriesId> = new Set<SeriesId>([
  'cpuPercent',
  'processCpuPercent',
  'memoryUsedBytes',
  'gcPauseMs',
]);

/** The engine's current state: nodes, jobs, and the active or last run. Fed by events, after one query at the start. */
export class Session {
  nodes = $state.raw<readonly NodeView[]>([]);
  jobs = $state.raw<readonly JobView[]>([]);
  /** The active run, or the last one of this session until it is closed. */
  record = $state.raw<RunRecord>();
  version = $state('');
  isReady = $state(false);
  /** Samples of all nodes since the start of the window, with or without a run: a run interrupts nothing. */
  readonly watchedSamples = new SampleStore();
  watchedSampleVersion = $state(0);
  readonly watchedAxis = new TimeAxis(true);
  #watchedHistory: RunHistory | undefined;
  /** Recent samples for the node list, with or without a run. */
  readonly fleetSamples = new SampleStore({ wants: (series) => fleetSeries.has(series), capacity: 300 });
  fleetSampleVersion = $state(0);
  /** Arrival of the last sample, by this computer's clock. */
  lastSampleMs = $state(0);
  /** What is displayed stands still; everything is still recorded. */
  isPaused = $state(false);

  readonly #engine: WindowClient;
  readonly #onProblem: (error: unknown) => void;
  /** A run has begun, by whomever. */
  onRunStart: () => void = () => undefined;
  readonly #held = new HeldUpdates();
  readonly #unsubscribe: (() => void)[];

  constructor(
    engine: WindowClient,
    onProblem: (error: unknown) => void,
    /** Events of the active run as they happen. */
    onEvent: (event: RunEvent) => void = () => undefined,
  ) {
    this.#engine = engine;
    this.#onProblem = onProblem;
    this.#unsubscribe = [
      engine.on('nodes', (nodes) => this.#latest('nodes', () => (this.nodes = nodes))),
      engine.on('jobs', (jobs) => this.#latest('jobs', () => (this.jobs = jobs))),
      engine.on('run', (run) => {
        if (this.#endsPause(run)) this.resume();
        this.#latest('run', () => this.#takeRun(run));
      }),
      engine.on('samples', (batch) => this.#takeSamples(batch)),
      engine.on('event', (event) => {
        this.#each(() => this.record?.addEvent(event));
        if (!this.isPaused) onEvent(event);
      }),
      engine.on('watchProblem', ({ problem }) => {
        if (problem !== null) this.#onProblem(new Error(problem));
      }),
      engine.on('still', (still) => this.#each(() => this.record?.addStill(still))),
    ];
  }

  get isLive(): boolean {
    return this.record !== undefined && this.record.run.state !== 'ended';
  }

  /** Whether there is anything for `Stop all` to stop. */
  get isActive(): boolean {
    return this.isLive || this.jobs.some((job) => job.state !== 'ended' && job.state !== 'failed');
  }

  async load(): Promise<void> {
    try {
      const state = await this.#engine.call('engine.state', {});
      this.version = state.version;
      this.nodes = state.nodes;
      this.jobs = state.jobs;
      if (state.run && this.record?.run.id !== state.run.id) this.#start(state.run, state);
      this.isReady = true;
      // Takes a while for a week; nothing else waits for it.
      this.#readWatched().catch(this.#onProblem);
    } catch (error) {
      this.#onProblem(error);
    }
  }

  /** The charts of what is watched show another range, or their crosshair moved. */
  lookAtWatched(view: ChartsInView): void {
    this.#watchedHistory?.look(view);
  }

  /** Stops updating what is displayed. A run that starts, stops or ends resumes it. */
  pause(): void {
    this.isPaused = true;
  }

  /** Displays everything up to now. */
  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.#held.release();
  }

  /** Closes a finished run. */
  closeRun(): void {
    if (!this.isLive) this.record = undefined;
  }

  dispose(): void {
    for (const end of this.#unsubscribe) end();
  }

  /** What was watched before this window was opened. */
  async #readWatched(): Promise<void> {
    const { fromMs, problem } = await this.#engine.call('watch.state', {});
    if (problem !== null) this.#onProblem(new Error(problem));
    const nowMs = Date.now();
    this.#watchedHistory = new RunHistory(
      sourceOfWatched(this.#engine, fromMs ?? nowMs),
      this.watchedSamples,
      true,
      () => (this.watchedSampleVersion += 1),
    );
    if (fromMs !== null) await this.#watchedHistory.read(nowMs);
  }

  #latest(state: string, show: () => void): void {
    if (this.isPaused) this.#held.replace(state, show);
    else show();
  }

  #each(show: () => void): void {
    if (this.isPaused) this.#held.add(show);
    else show();
  }

  #endsPause(run: RunView | null): boolean {
    if (!run) return false;
    const shown = this.record?.run;
    return run.id === shown?.id ? run.state !== shown.state : run.state !== 'ended';
  }

  #takeRun(run: RunView | null): void {
    // Without an active run the finished one stays displayed until it is closed.
    if (!run) return;
    if (this.record?.run.id === run.id) this.record.run = run;
    else if (run.state !== 'ended') this.#start(run);
  }

  /** A run may already be active when first seen: recorded data is loaded while live samples arrive. */
  #start(run: RunView, known?: Pick<EngineState, 'events' | 'stills'>): void {
    const record = new RunRecord(run, known?.events, known?.stills);
    this.record = record;
    this.onRunStart();
    record.read(this.#engine, Date.now(), true).catch(this.#onProblem);
  }

  #takeSamples(batch: SampleBatch): void {
    this.lastSampleMs = Date.now();
    // The stores are not reactive: only their versions show that there is more.
    const watched = ofFleet(batch);
    this.fleetSamples.append(watched);
    this.#latest('fleetSamples', () => (this.fleetSampleVersion += 1));
    this.watchedSamples.append(watched);
    this.#latest('watchedSamples', () => {
      this.watchedSampleVersion += 1;
      this.#watchedHistory?.grew();
    });
    const { record } = this;
    if (!record || !this.isLive) return;
    record.samples.append(ofRun(batch));
    this.#latest('samples', () => record.grew());
  }
}

type SampleKey = SampleBatch['keys'][number];

/** Under the names of the fleet, without the sums of a run's audiences, which are no nodes. */
const ofFleet = (batch: SampleBatch): SampleBatch =>
  rekeyed(batch, ({ node, series, fleetNode = node }) =>
    isAudienceId(node) ? undefined : { node: fleetNode, series },
  );

/** Under the names of the run, without nodes outside it that have the name of one of its nodes. */
const ofRun = (batch: SampleBatch): SampleBatch =>
  rekeyed(batch, (key) => (key.fleetNode === key.node ? undefined : key));

/** The samples under other keys; those of a key for which there is none are left out. */
function rekeyed(batch: SampleBatch, keyFor: (key: SampleKey) => SampleKey | undefined): SampleBatch {
  const found = batch.keys.map(keyFor);
  const keys = found.map((key, place) => key ?? batch.keys[place]) as SampleKey[];
  if (!found.includes(undefined)) return { ...batch, keys };
  const { key, timeMs, value } = batch;
  const rows = key.flatMap((place, row) => (found[place] === undefined ? [] : [row]));
  const chosen = <T>(all: readonly T[]): T[] => rows.map((row) => all[row] as T);
  return { keys, key: chosen(key), timeMs: chosen(timeMs), value: chosen(value) };
}

/** What arrived while the display was paused, to be shown when it resumes. */
class HeldUpdates {
  readonly #latest = new Map<string, () => void>();
  #all: (() => void)[] = [];

  /** Holds an update of a state back; only the latest one is kept. */
  replace(state: string, show: () => void): void {
    this.#latest.set(state, show);
  }

  /** Entries of a list are all kept. */
  add(show: () => void): void {
    this.#all.push(show);
  }

  release(): void {
    const all = [...this.#latest.values(), ...this.#all];
    this.#latest.clear();
    this.#all = [];
    for (const show of all) show();
  }
}
