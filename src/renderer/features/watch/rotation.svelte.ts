import { SvelteMap } from 'svelte/reactivity';
import { findingOf, type PlayedSecond, type StreamFinding } from '../../../domain/node/streamCheck';

export interface RotationTarget {
  readonly nodeId: string;
  readonly stream: string;
}

export interface RotationResult {
  readonly finding: StreamFinding;
  readonly timeMs: number;
}

export const targetKey = ({ nodeId, stream }: RotationTarget): string => `${nodeId} ${stream}`;

/** How long each stream may be played, s. */
export const rotationSeconds = [10, 20, 30, 60] as const;

/** Plays chosen streams one after the other in the control player, and remembers what was wrong with each. */
export class Rotation {
  everySeconds = $state<number>(20);
  targets = $state.raw<readonly RotationTarget[]>([]);
  /** The latest finding of each stream, by `targetKey`. */
  results = $state.raw<ReadonlyMap<string, RotationResult>>(new SvelteMap());
  readonly isOn: boolean = $derived(this.targets.length > 0);
  #at = 0;
  #seconds: PlayedSecond[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `play` shows a stream in the control player; `found` receives what each turn has found. */
  constructor(
    private readonly play: (target: RotationTarget) => void,
    private readonly found: (target: RotationTarget, finding: StreamFinding) => void = () => undefined,
  ) {}

  start(targets: readonly RotationTarget[]): void {
    this.stop();
    this.targets = targets;
    this.#at = 0;
    this.#show();
  }

  /** The player keeps the stream that it plays. */
  stop(): void {
    clearTimeout(this.#timer);
    this.targets = [];
  }

  /** One second of the control player. */
  add(second: PlayedSecond): void {
    if (this.isOn) this.#seconds.push(second);
  }

  #show(): void {
    const target = this.targets[this.#at];
    if (!target) return;
    this.#seconds = [];
    this.play(target);
    this.#timer = setTimeout(() => this.#next(target), this.everySeconds * 1000);
  }

  #next(played: RotationTarget): void {
    const finding = findingOf(this.#seconds);
    if (finding !== undefined) {
      this.results = new SvelteMap([...this.results, [targetKey(played), { finding, timeMs: Date.now() }]]);
      this.found(played, finding);
    }
    this.#at = (this.#at + 1) % this.targets.length;
    this.#show();
  }
}
