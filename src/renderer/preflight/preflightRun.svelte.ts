import type { Plan } from '../../domain/plan/plan';
import type { PreflightLook } from '../../domain/preflight/look';
import type { Engine } from '../state/connection';

let lastId = 0;

/** One look at the nodes of a plan, as it goes on and as it ended. */
export class PreflightRun {
  look = $state.raw<PreflightLook>();
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

  /** Looks anew; what was found before goes. */
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
        // A look that ends without having begun tells of it only here.
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

const empty = (id: string): PreflightLook => ({ id, state: 'running', nodes: [], findings: [] });
