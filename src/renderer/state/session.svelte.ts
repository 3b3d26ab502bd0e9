import type { NodeView } from '../../domain/node';
import type { JobView, RunView } from '../../domain/run';
import type { SampleBatch, SeriesId } from '../../domain/series';
import type { EngineState } from '../../contract/engine';
import { SampleStore } from '../charts/sampleStore';
import { TimeAxis } from '../charts/timeAxis.svelte';
import type { Engine } from './connection';
import { RunRecord } from './runRecord.svelte';

const fleetSeries: ReadonlySet<SeriesId> = new Set<SeriesId>([
  'cpuPercent',
  'processCpuPercent',
  'memoryUsedBytes',
  'gcPauseMs',
]);

/** The engine's present: nodes, jobs, and the run under way or just ended. Fed by events; it asks once, at the start. */
export class Session {
  nodes = $state.raw<readonly NodeView[]>([]);
  jobs = $state.raw<readonly JobView[]>([]);
  /** The run under way, or the last one of this session until it is put away. */
  record = $state.raw<RunRecord>();
  version = $state('');
  isReady = $state(false);
  /** Samples outside any run. */
  idleSamples = $state.raw(new SampleStore());
  idleSampleVersion = $state(0);
  idleAxis = $state.raw(new TimeAxis());
  /** The last minutes of what the list of nodes shows, whether a run is under way or not. */
  readonly fleetSamples = new SampleStore({ wants: (series) => fleetSeries.has(series), capacity: 300 });
  fleetSampleVersion = $state(0);
  /** When the last sample came, by this computer's clock. */
  lastSampleMs = $state(0);

  readonly #engine: Engine;
  readonly #onProblem: (error: unknown) => void;
  readonly #unsubscribe: (() => void)[];

  constructor(engine: Engine, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
    this.#unsubscribe = [
      engine.on('nodes', (nodes) => (this.nodes = nodes)),
      engine.on('jobs', (jobs) => (this.jobs = jobs)),
      engine.on('run', (run) => this.#takeRun(run)),
      engine.on('samples', (batch) => this.#takeSamples(batch)),
      engine.on('event', (event) => this.record?.addEvent(event)),
      engine.on('still', (still) => this.record?.addStill(still)),
    ];
  }

  get isLive(): boolean {
    return this.record !== undefined && this.record.run.state !== 'ended';
  }

  /** Whether anything runs that `Stop all` would end. */
  get isActive(): boolean {
    return this.isLive || this.jobs.some((job) => job.state !== 'ended' && job.state !== 'failed');
  }

  async load(): Promise<void> {
    try {
      const state = await this.#engine.call('engine.state', {});
      this.version = state.version;
      this.nodes = state.nodes;
      this.jobs = state.jobs;
      if (state.run && this.record?.run.id !== state.run.id) this.#begin(state.run, state);
      this.isReady = true;
    } catch (error) {
      this.#onProblem(error);
    }
  }

  /** Puts an ended run away; the screen is ready for the next one. */
  putAway(): void {
    if (!this.isLive) this.record = undefined;
  }

  dispose(): void {
    for (const end of this.#unsubscribe) end();
  }

  #takeRun(run: RunView | null): void {
    // Without a run under way the ended one stays on the screen until somebody puts it away.
    if (!run) return;
    if (this.record?.run.id === run.id) this.record.run = run;
    else if (run.state !== 'ended') this.#begin(run);
  }

  /** A run may be under way already when it is first seen: what was recorded before is read while live samples come in. */
  #begin(run: RunView, known?: Pick<EngineState, 'events' | 'stills'>): void {
    const record = new RunRecord(run, known?.events, known?.stills);
    this.record = record;
    this.idleSamples = new SampleStore();
    this.idleAxis = new TimeAxis();
    record.read(this.#engine, Date.now(), true).catch(this.#onProblem);
  }

  #takeSamples(batch: SampleBatch): void {
    this.lastSampleMs = Date.now();
    this.fleetSamples.append(batch);
    this.fleetSampleVersion += 1;
    if (this.record && this.isLive) {
      this.record.append(batch);
      return;
    }
    this.idleSamples.append(batch);
    this.idleSampleVersion += 1;
  }
}
