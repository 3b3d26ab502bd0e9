import type { CallOutput } from '../../../contract/engine';
import type { PlanConsent } from '../../../domain/consent/consent';
import type { NodeView } from '../../../domain/model/node';
import type { Plan } from '../../../domain/model/plan';
import { hasAudience } from '../../../domain/model/publisherGroup';
import type { DefaultThresholds, Settings } from '../../../contract/shell';
import { formOf } from './plan/planForm';
import type { WindowClient } from '../../client/connection';
import { initialForm, readForm, type PullDefaults } from './pullForm';
import { type PullForm } from './pullFormFields';
import { type FieldProblem } from '../../ui/fieldProblem';
import { pullTargets, targetOf } from './pullNodes';

/** Debounce of the plan check. */
const quietMs = 150;

/** Interval of repeated checks: nodes and streams change while the dialog is open. */
const againMs = 3000;

/** A pull being edited: fields, the plan they describe, and the engine's check of it. */
export class PullDraft {
  form = $state.raw() as PullForm;
  #check = $state.raw<CallOutput<'plan.check'>>();
  /** The plan that `#check` refers to. */
  #checkedPlan = $state.raw<Plan>();
  /** What `#checkedPlan` was read from. */
  #checkedInput = $state.raw<PullForm | Plan>();
  /** What the user has to allow before `#checkedPlan` starts. */
  #consent = $state.raw<PlanConsent>();
  readonly nodes: readonly NodeView[];
  readonly #engine: WindowClient;
  readonly #onProblem: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #recheckTimer: ReturnType<typeof setInterval>;

  /** The plan as edited text; absent while the form is edited. */
  text = $state.raw<string>();
  /** The user has changed something. */
  isEdited = $state(false);
  /** The problem of that text, with line and field. */
  textProblem = $state.raw<string>();
  #textPlan = $state.raw<Plan>();
  /** The text that `#textPlan` and `textProblem` were read from. */
  #parsedText = $state.raw<string>();

  readonly #read = $derived.by(() => this.#readForm());
  /** What would run: the text if present, else the form. */
  readonly plan = $derived(this.text === undefined ? this.#read.plan : this.#textPlan);
  /** What `plan` is read from. Compared instead of the plan, of which each reading makes another object. */
  readonly #input = $derived(this.text === undefined ? this.form : this.#textPlan);
  /** The engine's check of the plan; undefined without a plan, since an earlier check no longer applies. */
  readonly check = $derived(this.plan && this.#check);
  /** The plan that `check` refers to. */
  readonly checkedPlan = $derived(this.plan && this.#checkedPlan);
  /** The text has changed since it was parsed: `plan` is of an earlier one, which must not start. */
  readonly isParsing = $derived(this.text !== undefined && this.text !== this.#parsedText);
  /** The engine has responded for exactly this plan. */
  readonly #isChecked = $derived(this.plan !== undefined && this.#input === this.#checkedInput);
  /** `check` is of an earlier input; its successor is being computed. */
  readonly isStale = $derived(this.isParsing || (this.plan !== undefined && !this.#isChecked));
  /** What this plan needs to be allowed; undefined until the engine has read exactly this plan. */
  readonly consent = $derived(this.#isChecked ? this.#consent : undefined);
  /** The plan does more than the user's own nodes and files do: it is listed before it may start. */
  readonly needsReview = $derived.by(() => {
    const { text, isForeign } = this;
    const { items = [], newNodes = [] } = this.#consent ?? {};
    return this.plan !== undefined && ((isForeign && text !== undefined) || items.length + newNodes.length > 0);
  });
  /** The fields can't show the plan: they contain nodes of the fleet only, and would replace the plan's own. */
  readonly isTextOnly = $derived.by(() => {
    const { newNodes = [], items = [] } = this.#consent ?? {};
    // The fields are those of an audience.
    const isAlone = this.#textPlan !== undefined && !hasAudience(this.#textPlan);
    return (
      this.text !== undefined && (isAlone || newNodes.length > 0 || items.some(({ path }) => path.startsWith('nodes.')))
    );
  });
  /** Problems found by the form, then those of the engine. */
  readonly problems: readonly FieldProblem[] = $derived.by(() => [
    ...(this.text === undefined ? this.#read.problems : []),
    ...(this.#isChecked ? (this.check?.problems ?? []) : []).map((problem) => ({
      path: problem.path,
      sentence: problem.sentence,
      fix: problem.suggestion === undefined ? undefined : String(problem.suggestion),
    })),
  ]);
  readonly target = $derived.by(() => targetOf(this.form, this.nodes));
  readonly origin = $derived.by(() => this.nodes.find(({ id }) => id === this.form.origin));

  constructor(
    engine: WindowClient,
    nodes: readonly NodeView[],
    last: Settings['lastPull'],
    defaults: PullDefaults | undefined,
    onProblem: (error: unknown) => void,
    usual?: DefaultThresholds,
    /** The text that is opened is of a run that another console recorded. */
    readonly isForeign = false,
  ) {
    this.#engine = engine;
    this.#onProblem = onProblem;
    this.nodes = nodes;
    this.form = { ...initialForm(nodes, last, defaults), usual };
    void this.#checkPlan();
    this.#recheckTimer = setInterval(() => void this.#checkPlan(), againMs);
  }

  change(change: Partial<PullForm>): void {
    this.isEdited = true;
    this.#endText();
    // The choice to publish applies to one stream only.
    const isOther = change.stream !== undefined && change.stream !== this.form.stream;
    this.form = { ...this.form, ...(isOther ? { publishes: false } : {}), ...change };
    this.#scheduleCheck();
  }

  /** Edits the plan as text: the form follows as far as it can show it. */
  type(text: string): void {
    this.isEdited = true;
    this.text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#parse(text), quietMs);
  }

  /** Back to the form, with what it could take over from the text. */
  leaveText(): void {
    this.#endText();
    this.#scheduleCheck();
  }

  /** Applies a preset: its load and expectations, on the nodes and the stream of the form. */
  async takePreset(yaml: string): Promise<void> {
    try {
      const { plan } = await this.#engine.call('plan.parse', { yaml });
      if (!hasAudience(plan)) return await this.open(yaml);
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
      // The text changed meanwhile.
      if (text !== this.text) return;
      this.#textPlan = plan;
      this.textProblem = undefined;
      this.#parsedText = text;
      if (hasAudience(plan)) this.form = formOf(plan, this.nodes, this.form);
      await this.#checkPlan();
    } catch (error) {
      if (text !== this.text) return;
      this.#textPlan = undefined;
      this.textProblem = (error as Error).message;
      this.#parsedText = text;
    }
  }

  #endText(): void {
    this.text = undefined;
    this.#textPlan = undefined;
    this.#parsedText = undefined;
    this.textProblem = undefined;
  }

  #scheduleCheck(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#checkPlan(), quietMs);
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

  /** Puts the suggested value into the field of its path. */
  fix(path: string, value: string): void {
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
    clearInterval(this.#recheckTimer);
  }

  async #checkPlan(): Promise<void> {
    const { plan } = this;
    const input = this.#input;
    if (!plan) {
      this.#check = undefined;
      this.#consent = undefined;
      this.#checkedPlan = undefined;
      this.#checkedInput = undefined;
      return;
    }
    try {
      const [check, consent] = await Promise.all([
        this.#engine.call('plan.check', { plan }),
        this.#engine.call('plans.consent', { plan }),
      ]);
      // The input changed meanwhile: this response is for another plan.
      if (input !== this.#input) return;
      this.#check = check;
      this.#consent = consent;
      this.#checkedPlan = plan;
      this.#checkedInput = input;
    } catch (error) {
      this.#onProblem(error);
    }
  }
}
