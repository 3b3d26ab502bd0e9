import type { ViewerRow } from '../../domain/run';
import type { Engine } from './connection';

const pageSize = 1000;
const refreshMs = 2000;

/** The viewers of the run under way with their own figures, read anew while somebody looks at them. */
export class ViewersList {
  rows = $state.raw<readonly ViewerRow[]>([]);
  total = $state(0);
  isLoaded = $state(false);
  problem = $state<string>();
  readonly #engine: Engine;
  readonly #run: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDisposed = false;

  constructor(engine: Engine, run: string) {
    this.#engine = engine;
    this.#run = run;
    void this.#read();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    try {
      const rows: ViewerRow[] = [];
      for (let offset = 0; ; offset += pageSize) {
        const page = await this.#engine.call('runs.viewers', { run: this.#run, offset, limit: pageSize });
        rows.push(...page.viewers);
        this.total = page.total;
        if (page.viewers.length === 0 || rows.length >= page.total) break;
      }
      this.rows = rows;
      this.problem = undefined;
      this.isLoaded = true;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    if (!this.#isDisposed) this.#timer = setTimeout(() => void this.#read(), refreshMs);
  }
}
