import type { CallOutput } from '../../contract/engine';
import type { NodeView } from '../../domain/node';
import type { Plan } from '../../domain/plan/plan';
import type { DefaultThresholds, Settings } from '../../contract/shell';
import { formOf, strangers } from '../plan/planForm';
import type { Engine } from '../state/connection';
import { initialForm, readForm, type FieldProblem, type PullForm, type PullWish } from './pullForm';
import { pullTargets, targetOf } from './pullNodes';

/** The engine is asked when nothing was typed for this time. */
const quietMs = 150;

/** What was checked is checked again after this time: nodes and streams change while the dialog is open. */
const againMs = 3000;

/** A pull while it is being put together: fields, the plan they describe, and what the engine says of it. */
export class PullDraft {
  form = $state.raw() as PullForm;
  #check = $state.raw<CallOutput<'plan.check'>>();
  /** The plan that `#check` speaks of. */
  #checkedPlan = $state.raw<Plan>();
  readonly nodes: readonly NodeView[];
  readonly #engine: Engine;
  readonly #onProblem: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #again: ReturnType<typeof setInterval>;

  /** The plan as somebody types it; absent while the form leads. */
  text = $state.raw<string>();
  /** What is wrong with that text, with line and field. */
  textProblem = $state.raw<string>();
  #textPlan = $state.raw<Plan>();

  readonly #read = $derived.by(() => this.#readForm());
  /** What would run: the text while there is one, else what the form says. */
  readonly plan = $derived(this.text === undefined ? this.#read.plan : this.#textPlan);
  /** Nodes of the text that the fleet does not know, so that the form can't show them. */
  readonly strangers = $derived.by(() => (this.#textPlan ? strangers(this.#textPlan, this.nodes) : []));
  /** What the engine says of the plan; nothing while there is none, since what was said of an earlier one is no longer true. */
  readonly check = $derived(this.plan && this.#check);
  /** The plan that `check` speaks of; the plan itself once the engine has answered. */
  readonly checkedPlan = $derived(this.plan && this.#checkedPlan);
  /** What the form itself refuses, then what the engine does. */
  readonly problems: readonly FieldProblem[] = $derived.by(() => [
    ...(this.text === undefined ? this.#read.problems : []),
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
    usual?: DefaultThresholds,
  ) {
    this.#engine = engine;
    this.#onProblem = onProblem;
    this.nodes = nodes;
    this.form = { ...initialForm(nodes, last, wish), usual };
    void this.#ask();
    this.#again = setInterval(() => void this.#ask(), againMs);
  }

  change(change: Partial<PullForm>): void {
    this.#endText();
    // To publish one stream says nothing of another.
    const isOther = change.stream !== undefined && change.stream !== this.form.stream;
    this.form = { ...this.form, ...(isOther ? { publishes: false } : {}), ...change };
    this.#askSoon();
  }

  /** Somebody types the plan: the form follows as far as it can show it. */
  type(text: string): void {
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#parse(text), quietMs);
  }

  /** The form leads again, with what it could take over from the text. */
  leaveText(): void {
    this.#endText();
    this.#askSoon();
  }

  /** Takes over a pattern: what it does and expects, on the nodes and the stream of the form. */
  async takePreset(yaml: string): Promise<void> {
    try {
      const { plan } = await this.#engine.call('plan.parse', { yaml });
      this.change(formOf(plan, this.nodes, this.form, { keepsPlace: true }));
    } catch (error) {
      this.#onProblem(error);
    }
  }

  /** Opens a plan that was dropped or chosen, as its text. */
  open(yaml: string): Promise<void> {
    this.text = yaml;
    return this.#parse(yaml);
  }

  async #parse(text: string): Promise<void> {
    try {
      const { plan } = await this.#engine.call('plan.parse', { yaml: text });
      // Somebody typed on meanwhile.
      if (text !== this.text) return;
      this.#textPlan = plan;
      this.textProblem = undefined;
      this.form = formOf(plan, this.nodes, this.form);
      await this.#ask();
    } catch (error) {
      if (text !== this.text) return;
      this.#textPlan = undefined;
      this.textProblem = (error as Error).message;
    }
  }

  #endText(): void {
    this.text = undefined;
    this.#textPlan = undefined;
    this.textProblem = undefined;
  }

  #askSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), quietMs);
  }

  /** Pulls from another node: its first stream, its usual testers. */
  changeOrigin(origin: string): void {
    const node = this.nodes.find(({ id }) => id === origin);
    const [first] = node ? pullTargets(node) : [];
    this.change({
      origin,
      publishes: false,
      stream: first?.stream ?? '',
      testers: undefined,
      protocol: undefined,
    });
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
    clearInterval(this.#again);
  }

  async #ask(): Promise<void> {
    const { plan } = this;
    if (!plan) {
      this.#check = undefined;
      this.#checkedPlan = undefined;
      return;
    }
    try {
      const check = await this.#engine.call('plan.check', { plan });
      // Somebody typed on meanwhile: this answer is of another plan.
      if (plan !== this.plan) return;
      this.#check = check;
      this.#checkedPlan = plan;
    } catch (error) {
      this.#onProblem(error);
    }
  }
}
