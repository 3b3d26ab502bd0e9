import type { RunEvent, RunView, Still } from '../../domain/run';
import type { SampleBatch } from '../../domain/series';
import { SampleStore } from '../charts/sampleStore';
import { TimeAxis } from '../charts/timeAxis.svelte';
import type { Engine } from './connection';

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

  constructor(run: RunView, events: readonly RunEvent[] = [], stills: readonly Still[] = []) {
    this.run = run;
    this.samples = new SampleStore({ stepMs: run.imported?.stepMs });
    this.events = events;
    this.stills = stills;
  }

  append(batch: SampleBatch): void {
    this.samples.append(batch);
    this.sampleVersion += 1;
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

  /** Reads the samples of a time span from the engine, batch by batch. Rejects with the engine's sentence. */
  async read(engine: Engine, fromMs: number, toMs: number): Promise<void> {
    for (let next: number | null = fromMs; next !== null;) {
      const answer: { batch: SampleBatch; nextMs: number | null } = await engine.call('runs.samples', {
        run: this.run.id,
        fromMs: next,
        toMs,
      });
      this.append(answer.batch);
      next = answer.nextMs;
    }
  }
}
