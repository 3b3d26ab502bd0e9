import type { Plan } from '../../../domain/model/plan';
import type { PreflightProgress } from '../../../domain/preflight/progress';
import type { Engine } from '../../client/connection';

let lastId = 0;

/** One preflight of a plan: its progress and its result. */
export class PreflightRun {
  look = $state.raw<PreflightProgress>();
  readonly #engine: Engine;
  readonly #plan: Plan;
  readonly #unsubscribe: () => void;
  #id = '';

  constructor(engine: Engine, plan: Plan) {
    this.#engine = engine;
    this.#plan = plan;
    this.#unsubscribe = engine.on('preflight', (look) => {
      if (look.id === this.#id) this.look = look;
    });
    this.start();
  }

  readonly isRunning: boolean = $derived.by(() => this.look === undefined || this.look.state === 'running');

  /** Runs again; earlier findings are dropped. */
  start(): void {
    lastId += 1;
    const id = `window-${lastId}`;
    this.#id = id;
    this.look = undefined;
    this.#engine.call('preflight.run', { id, plan: this.#plan }).then(
      (report) => {
        if (this.#id === id && this.look?.state !== 'done')
          this.look = { ...(this.look ?? empty(id)), state: 'done', findings: report.findings, report };
      },
      (error: Error) => {
        // A preflight that fails to start is reported only here.
        if (this.#id === id && (this.look === undefined || this.look.state === 'running'))
          this.look = { ...(this.look ?? empty(id)), state: 'failed', problem: error.message };
      },
    );
  }

  cancel(): void {
    if (this.isRunning) this.#engine.call('preflight.cancel', { id: this.#id }).catch(() => undefined); // it has ended
  }

  dispose(): void {
    this.cancel();
    this.#unsubscribe();
  }
}

const empty = (id: string): PreflightProgress => ({ id, state: 'running', nodes: [], findings: [] });
