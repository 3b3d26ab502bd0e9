import type { Phase, PhaseName, RunEvent } from '../../domain/run';
import type { RunWriter } from '../store';
import type { NewEvent } from './watchers';

/** Keeps the events and phases of a run and tells of them. */
export class RunLog {
  private readonly passed: Phase[] = [];
  private lastId = 0;

  constructor(
    private readonly writer: RunWriter,
    private readonly now: () => number,
    private readonly onEvent: (event: RunEvent) => void,
    private readonly problem: (sentence: string) => void,
  ) {}

  get phases(): readonly Phase[] {
    return [...this.passed];
  }

  /** Never throws: an event that the file does not take must not keep a run from being stopped. It is told all the same. */
  keep(event: NewEvent): RunEvent {
    let kept: RunEvent;
    try {
      kept = this.writer.event(event);
    } catch (error) {
      this.problem(`An event is not in the run file (${(error as Error).message}): ${event.sentence}`);
      kept = { ...event, id: this.lastId + 1 };
    }
    this.lastId = kept.id;
    this.onEvent(kept);
    return kept;
  }

  keepAll(events: readonly NewEvent[]): void {
    for (const event of events) this.keep(event);
  }

  /** A sentence of the run itself, of now. */
  say(sentence: string, who: 'run' | 'you' | 'audience' = 'run'): void {
    this.keep({ timeMs: this.now(), kind: 'run', mark: 'none', who, sentence });
  }

  /** Ends the phase under way and begins another; the same one again is nothing new. Returns whether it began. */
  phase(name: PhaseName, sentence: string): boolean {
    if (this.passed[this.passed.length - 1]?.name === name) return false;
    const timeMs = this.now();
    this.endPhase();
    this.passed.push({ name, startMs: timeMs });
    this.keep({ timeMs, kind: 'phase', mark: 'phase', who: 'run', sentence });
    return true;
  }

  endPhase(): void {
    const last = this.passed[this.passed.length - 1];
    if (last && last.endMs === undefined)
      this.passed[this.passed.length - 1] = { ...last, endMs: this.now() };
  }
}
