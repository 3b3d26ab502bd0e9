import type { RunEvent, RunView, Still } from '../../domain/model/run';
import { inOrderOfTime } from '../../domain/run/eventOrder';
import { stepOf } from '../../domain/model/withoutLoad';
import { SampleStore } from '../charts/sampleStore';
import { TimeAxis } from '../charts/timeAxis.svelte';
import type { ChartsInView } from '../charts/chartGridProps';
import type { WindowClient } from '../client/connection';
import { RunHistory, sourceOfRun } from './runHistory';

/** Everything displayed about one run, live or from a file. */
export class RunRecord {
  run = $state.raw() as RunView;
  /** In order of time. */
  events = $state.raw<readonly RunEvent[]>([]);
  stills = $state.raw<readonly Still[]>([]);
  /** Counts the batches, to invalidate values derived from the samples. */
  sampleVersion = $state(0);
  readonly samples: SampleStore;
  /** Per record: a zoom applies to one run only. */
  readonly axis = new TimeAxis();
  #history: RunHistory | undefined;

  constructor(
    run: RunView,
    events: readonly RunEvent[] = [],
    stills: readonly Still[] = [],
    /** Another console recorded it, as far as this one knows. */
    readonly isForeign = false,
  ) {
    this.run = run;
    this.samples = new SampleStore({ stepMs: stepOf(run) });
    this.events = inOrderOfTime(events);
    this.stills = stills;
  }

  /** Live samples were added. */
  grew(): void {
    this.sampleVersion += 1;
    this.#history?.grew();
  }

  addEvent(event: RunEvent): void {
    if (this.events.some((known) => known.id === event.id)) return;
    this.events = inOrderOfTime([...this.events, event]);
  }

  /** Replaces the event of the same id. */
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
   * Loads the recorded data; `isLive`: more will follow. A run of hours loads as an overview first, and the visible
   * range in detail later. `onFirst` is called once there is something to show. Rejects with the engine's sentence.
   */
  async read(engine: WindowClient, toMs: number, isLive: boolean, onFirst?: () => void): Promise<void> {
    this.#history = new RunHistory(
      sourceOfRun(engine, this.run),
      this.samples,
      isLive,
      () => (this.sampleVersion += 1),
    );
    await this.#history.read(toMs, onFirst);
  }

  /** The charts show another range, or the crosshair moved. */
  look(view: ChartsInView): void {
    this.#history?.look(view);
  }
}
