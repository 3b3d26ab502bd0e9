import type { CallOutput } from '../../contract/engine';
import type { NodeView } from '../../domain/node';
import type { Plan } from '../../domain/plan';
import type { Settings } from '../../contract/shell';
import type { Engine } from '../state/connection';
import { initialForm, readForm, type FieldProblem, type PullForm, type PullWish } from './pullForm';
import { pullTargets, targetOf } from './pullNodes';

/** The engine is asked when nothing was typed for this time. */
const quietMs = 150;

/** A pull while it is being put together: fields, the plan they describe, and what the engine says of it. */
export class PullDraft {
  form = $state.raw() as PullForm;
  check = $state.raw<CallOutput<'plan.check'>>();
  /** The plan that `check` speaks of. */
  checkedPlan = $state.raw<Plan>();
  readonly nodes: readonly NodeView[];
  readonly #engine: Engine;
  readonly #onProblem: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #read = $derived.by(() => this.#readForm());
  readonly plan = $derived(this.#read.plan);
  /** What the form itself refuses, then what the engine does. */
  readonly problems: readonly FieldProblem[] = $derived.by(() => [
    ...this.#read.problems,
    ...(this.plan && this.plan === this.checkedPlan ? (this.check?.problems ?? []) : []).map((problem) => ({
      path: problem.path,
      sentence: problem.sentence,
      mend: problem.suggestion === undefined ? undefined : String(problem.suggestion),
    })),
  ]);
  readonly target = $derived.by(() => targetOf(this.form, this.nodes));
  readonly origin = $derived.by(() => this.nodes.find(({ id }) => id === this.form.origin));

  constructor(
    engine: Engine,
    nodes: readonly NodeView[],
    last: Settings['lastPull'],
    wish: PullWish | undefined,
    onProblem: (error: unknown) => void,
  ) {
    this.#engine = engine;
    this.#onProblem = onProblem;
    this.nodes = nodes;
    this.form = initialForm(nodes, last, wish);
    void this.#ask();
  }

  change(change: Partial<PullForm>): void {
    this.form = { ...this.form, ...change };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), quietMs);
  }

  /** Pulls from another node: its first stream, its usual testers. */
  changeOrigin(origin: string): void {
    const node = this.nodes.find(({ id }) => id === origin);
    const [first] = node ? pullTargets(node) : [];
    this.change({ origin, stream: first?.stream ?? '', testers: undefined, protocol: undefined });
  }

  /** Puts the value that mends a problem into the field of its path. */
  mend(path: string, value: string): void {
    if (path === 'pull.viewers') this.change({ viewers: value });
    else if (path.startsWith('pull.rate')) this.change({ rate: value });
    else if (path.startsWith('pull.hold')) this.change({ hold: value });
    else if (path.startsWith('expect.'))
      this.change({ expect: { ...this.form.expect, [path.slice('expect.'.length)]: value } });
  }

  #readForm(): ReturnType<typeof readForm> {
    return readForm(this.form, this.nodes);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    const { plan } = this;
    if (!plan) return;
    try {
      const check = await this.#engine.call('plan.check', { plan });
      // Somebody typed on meanwhile: this answer is of another plan.
      if (plan !== this.plan) return;
      this.check = check;
      this.checkedPlan = plan;
    } catch (error) {
      this.#onProblem(error);
    }
  }
}
