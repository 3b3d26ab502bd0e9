import type { Engine } from '../client/connection';
import { RunRecord } from './runRecord.svelte';

/** An anonymized copy and the run that it was made of, to check it. */
export interface CopyPair {
  readonly original: RunRecord;
  readonly copy: RunRecord;
}

/** An opened saved run; read only. */
export class OpenedRun {
  record = $state.raw<RunRecord>();
  /** Set while a copy is displayed beside its original: `record` is one of both. */
  pair = $state.raw<CopyPair>();
  isLoading = $state(false);
  readonly #engine: Engine;
  readonly #onProblem: (error: unknown) => void;

  constructor(engine: Engine, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
  }

  /** Returns whether it could be opened; reports a problem. */
  async open(run: string): Promise<boolean> {
    const record = await this.#read(run, (first) => {
      this.pair = undefined;
      this.record = first;
    });
    return record !== undefined;
  }

  /** Opens a copy beside its original, which may be displayed already. */
  async openBeside(original: string | RunRecord, copy: string): Promise<boolean> {
    const first = typeof original === 'string' ? await this.#read(original) : original;
    const second = first && (await this.#read(copy));
    if (!first || !second) return false;
    this.pair = { original: first, copy: second };
    this.record = second;
    return true;
  }

  /** Displays the copy or the original, with the same range and crosshair. */
  showSide(side: keyof CopyPair): void {
    const { pair, record } = this;
    if (!pair || !record || pair[side] === record) return;
    const { span, zoom, live, cursorMs } = record.axis;
    Object.assign(pair[side].axis, { span, zoom, live, cursorMs });
    this.record = pair[side];
  }

  close(): void {
    this.record = undefined;
    this.pair = undefined;
  }

  /** Reports a problem; `onFirst` is called once there is something to show. */
  async #read(run: string, onFirst?: (record: RunRecord) => void): Promise<RunRecord | undefined> {
    this.isLoading = true;
    try {
      const { run: view, events, stills, isForeign } = await this.#engine.call('runs.open', { run });
      const record = new RunRecord(view, events, stills, isForeign);
      await record.read(this.#engine, view.endedMs ?? Date.now(), false, () => onFirst?.(record));
      onFirst?.(record);
      return record;
    } catch (error) {
      this.#onProblem(error);
      return undefined;
    } finally {
      this.isLoading = false;
    }
  }
}
