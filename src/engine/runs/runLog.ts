import type { Phase, PhaseName, RunEvent } from '../../domain/model/run';
import type { RunRecording } from '../store';
import type { RunStream } from './runOutput';
import type { NewEvent } from './watchers';

/** Records the events and phases of a run and emits them. */
export class RunLog {
  private readonly passed: Phase[] = [];
  private lastId = 0;

  constructor(
    private readonly writer: Pick<RunRecording, 'event'>,
    private readonly now: () => number,
    private readonly output: RunStream,
  ) {}

  get phases(): readonly Phase[] {
    return [...this.passed];
  }

  /** Never throws: an event that can't be written must not prevent the stop of a run. It is emitted anyway. */
  keep(event: NewEvent): RunEvent {
    let kept: RunEvent;
    try {
      kept = this.writer.event(event);
    } catch (error) {
      const sentence = `An event could not be saved in the run file (${(error as Error).message}): ${event.sentence}`;
      this.output.emit({ kind: 'problem', sentence });
      kept = { ...event, id: this.lastId + 1 };
    }
    this.lastId = kept.id;
    this.output.emit({ kind: 'event', event: kept });
    return kept;
  }

  keepAll(events: readonly NewEvent[]): void {
    for (const event of events) this.keep(event);
  }

  /** A sentence of the run itself, timestamped now. */
  say(sentence: string, who: 'run' | 'you' | 'audience' = 'run'): void {
    this.keep({ timeMs: this.now(), kind: 'run', mark: 'none', who, sentence });
  }

  /** Ends the current phase and starts another; the same one again is ignored. Returns whether it started. */
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
    if (last && last.endMs === undefined) this.passed[this.passed.length - 1] = { ...last, endMs: this.now() };
  }
}
