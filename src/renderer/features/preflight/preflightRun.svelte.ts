import { FullhouseError } from '../../../contract/calls';
import type { ShellApi } from '../../../contract/shell';
import type { Plan } from '../../../domain/model/plan';
import type { PreflightReport } from '../../../domain/model/preflightReport';
import type { PreflightProgress } from '../../../domain/preflight/progress';
import type { WindowClient } from '../../client/connection';

let lastId = 0;

/** One preflight of a plan: its progress and its result. */
export class PreflightRun {
  look = $state.raw<PreflightProgress>();
  readonly #engine: WindowClient;
  readonly #shell: Pick<ShellApi, 'call'>;
  readonly #plan: Plan;
  readonly #allowNodes: readonly string[];
  readonly #unsubscribe: () => void;
  #id = '';

  /** `allowNodes` are addresses of new nodes that the user has seen. */
  constructor(engine: WindowClient, shell: Pick<ShellApi, 'call'>, plan: Plan, allowNodes: readonly string[] = []) {
    this.#engine = engine;
    this.#shell = shell;
    this.#plan = plan;
    this.#allowNodes = allowNodes;
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
    this.#inspect(id).then(
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

  /** The main process shows what the nodes of the plan do outside of it, and informs the engine. */
  async #inspect(id: string): Promise<PreflightReport> {
    const input = { id, plan: this.#plan, allowNodes: [...this.#allowNodes] };
    try {
      return await this.#engine.call('preflight.run', input);
    } catch (error) {
      if (!(error instanceof FullhouseError && error.code === 'hooks-not-allowed')) throw error;
      const { allowed } = await this.#shell.call('shell.allowHooks', { plan: this.#plan, scope: 'nodes' });
      if (!allowed) throw new Error('Not started: what the plan does was not allowed.');
      return this.#engine.call('preflight.run', { ...input, allowHooks: true });
    }
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
