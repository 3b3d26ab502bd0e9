import { untrack } from 'svelte';
import type { NodeView } from '../../../domain/model/node';
import {
  groupsOf,
  readingOf,
  summaryOf,
  type FleetSummary,
  type Grouping,
  type NodeReading,
  type ReadingGroup,
  type Trouble,
} from '../../../domain/node/fleetState';
import type { SampleStore } from '../../charts/sampleStore';
import { drawPace } from '../../client/drawPace';
import { toggled } from '../../ui/selection';
import { figuresNow } from './figuresNow';

/** What the console shows without a run. */
export type WatchView = 'charts' | 'nodes' | 'streams';

const intervalMs = 1000;

export interface WatchedFleet {
  /** Nodes to watch, and all nodes: several may share a host. */
  readonly nodes: () => readonly NodeView[];
  readonly fleet: () => readonly NodeView[];
  readonly samples: SampleStore;
  readonly isPaused: () => boolean;
}

/**
 * The current figures of a watched fleet, read once a second while something shows them: more samples cost no more.
 */
export class FleetWatch {
  view = $state<WatchView>('charts');
  grouping = $state<Grouping>('name');
  filter = $state('');
  folded = $state.raw<readonly string[]>([]);
  readings = $state.raw<readonly NodeReading[]>([]);
  /** Seconds read so far, for what is drawn less often. */
  ticks = $state(0);
  readonly summary: FleetSummary = $derived.by(() => summaryOf(this.readings));
  readonly found: readonly NodeReading[] = $derived.by(() => {
    const words = this.filter.trim().toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.readings;
    return this.readings.filter(({ node }) => {
      const text = `${node.name} ${node.server ?? ''} ${node.software ?? ''} ${node.problem ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  });
  readonly groups: readonly ReadingGroup[] = $derived.by(() => groupsOf(this.found, this.grouping));

  readonly #of: WatchedFleet;
  #users = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(of: WatchedFleet) {
    this.#of = of;
  }

  get samples(): SampleStore {
    return this.#of.samples;
  }

  /** Reads while it is used. Returns the function that ends it. */
  use(): () => void {
    this.#users += 1;
    if (this.#users === 1) {
      // An effect that uses it does not depend on what is read.
      untrack(() => this.read());
      this.#timer = setInterval(() => {
        if (!drawPace.isHidden && !this.#of.isPaused()) this.read();
      }, intervalMs);
    }
    return () => {
      this.#users -= 1;
      if (this.#users === 0) clearInterval(this.#timer);
    };
  }

  read(): void {
    const before: Record<string, Trouble> = {};
    for (const { node, trouble } of this.readings) before[node.id] = trouble;
    const { samples } = this.#of;
    const fleet = this.#of.fleet();
    this.readings = this.#of.nodes().map((node) => readingOf(node, figuresNow(node, fleet, samples), before[node.id]));
    this.ticks += 1;
  }

  toggleFold(group: string): void {
    this.folded = toggled(this.folded, group);
  }
}
