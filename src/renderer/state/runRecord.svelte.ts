import type { RunEvent, RunView, Still } from '../../domain/run';
import type { SampleBatch } from '../../domain/series';
import { SampleStore } from '../charts/sampleStore';
import { TimeAxis } from '../charts/timeAxis.svelte';
import type { ChartsInView } from '../charts/chartGridProps';
import type { Engine } from './connection';
import { RunHistory } from './runHistory';

/** Everything about one run that the screen shows, whether it is under way or read from a file. */
export class RunRecord {
  run = $state.raw() as RunView;
  /** In order of time. */
  events = $state.raw<readonly RunEvent[]>([]);
  stills = $state.raw<readonly Still[]>([]);
  /** Counts the batches, so that what is derived from the samples knows when to look again. */
  sampleVersion = $state(0);
  readonly samples: SampleStore;
  /** A record's own: a zoom of one run says nothing about another. */
  readonly axis = new TimeAxis();
  #history: RunHistory | undefined;

  constructor(run: RunView, events: readonly RunEvent[] = [], stills: readonly Still[] = []) {
    this.run = run;
    this.samples = new SampleStore({ stepMs: run.imported?.stepMs });
    this.events = events;
    this.stills = stills;
  }

  append(batch: SampleBatch): void {
    this.samples.append(batch);
    this.sampleVersion += 1;
    this.#history?.grew();
  }

  addEvent(event: RunEvent): void {
    if (this.events.some((known) => known.id === event.id)) return;
    this.events = [...this.events, event].sort((a, b) => a.timeMs - b.timeMs || a.id - b.id);
  }

  /** Puts an event in the place of the one with its number. */
  replaceEvent(event: RunEvent): void {
    this.events = this.events.filter((known) => known.id !== event.id);
    this.addEvent(event);
  }

  dropEvent(id: number): void {
    this.events = this.events.filter((known) => known.id !== id);
  }

  addStill(still: Still): void {
    if (!this.stills.some((known) => known.id === still.id)) this.stills = [...this.stills, still];
  }

  /**
   * Reads what was recorded so far; `isLive`: more will come. A run of hours comes as an overview first, and what is looked at
   * follows in detail. `onFirst` hears when there is something to look at. Rejects with the engine's sentence.
   */
  async read(engine: Engine, toMs: number, isLive: boolean, onFirst?: () => void): Promise<void> {
    this.#history = new RunHistory(engine, this.run, this.samples, isLive, () => (this.sampleVersion += 1));
    await this.#history.read(toMs, onFirst);
  }

  /** The charts show another stretch, or point at another moment. */
  look(view: ChartsInView): void {
    this.#history?.look(view);
  }
}
