import type { NodeView } from '../../domain/node';
import type { ProbeView } from '../../domain/probe';
import { typedPassword, type TypedPassword } from '../../domain/typedPassword';
import type { Engine } from '../state/connection';
import {
  additionOf,
  asksAgain,
  emptyAddForm,
  offerOf,
  probeInput,
  takenNames,
  type AddForm,
} from './addForm';

/** An address is looked at when nothing was typed for this time; Enter looks at once. */
const quietMs = 400;
/** The name of this window's probe; a new one of the same name ends the one before. */
const probeName = 'add-node';

/** A node while it is being added: what was typed, and what the engine has found of it. */
export class AddDraft {
  form = $state.raw<AddForm>(emptyAddForm);
  probe = $state.raw<ProbeView>();
  /** All that was needed of this address so far: a field does not go away under the hand that fills it. */
  needs = $state.raw<ProbeView['needs']>([]);
  /** Why the look could not begin, or why adding failed; one sentence. */
  problem = $state<string>();
  isAdding = $state(false);
  #nodes = $state.raw<readonly NodeView[]>([]);
  readonly #engine: Engine;
  readonly #unsubscribe: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What a node is wanted as; the form offers it first, whatever address is typed. */
  #role: AddForm['role'];
  /** The address that the engine looks at. */
  #asked: string | undefined;

  readonly offer = $derived.by(() => offerOf(this.form, this.probe));
  readonly addition = $derived.by(() => additionOf(this.form, this.probe, takenNames(this.#nodes)));
  readonly canAdd = $derived(this.addition.nodes.length > 0 && !this.isAdding);
  readonly isLooking = $derived(this.probe !== undefined && !this.probe.isDone);

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#unsubscribe = engine.on('probe', (probe) => {
      if (probe.probe !== probeName || this.#asked === undefined) return;
      this.probe = probe;
      const fresh = probe.needs.filter(({ kind }) => !this.needs.some((known) => known.kind === kind));
      if (fresh.length > 0) this.needs = [...this.needs, ...fresh];
    });
  }

  /** Nodes whose names are taken. */
  know(nodes: readonly NodeView[]): void {
    this.#nodes = nodes;
  }

  change(typed: Partial<AddForm>): void {
    const taken = typed.address === undefined ? undefined : typedPassword(typed.address);
    const change = taken ? { ...typed, address: taken.address } : typed;
    const isAnother = change.address !== undefined && change.address.trim() !== this.form.address.trim();
    // Another address is another node: what was chosen and typed for the last one does not fit it.
    this.form = isAnother
      ? { ...emptyAddForm, role: this.#role, address: change.address ?? '' }
      : { ...this.form, ...change };
    this.problem = undefined;
    if (!isAnother && !taken && (change.address !== undefined || !asksAgain(change))) return;
    clearTimeout(this.#timer);
    if (isAnother) this.#forget();
    if (taken) this.#fillIn(taken);
    if (this.form.address.trim()) this.#timer = setTimeout(() => void this.look(), quietMs);
  }

  /** A password that was typed within the address: it goes into its own field, where it is masked. */
  #fillIn({ user, password, kind }: TypedPassword): void {
    const secret = kind === 'ssh' ? 'sshPassword' : 'httpPassword';
    const withUser = kind === 'api' && user !== '';
    this.form = {
      ...this.form,
      ...(withUser ? { user } : {}),
      secrets: { ...this.form.secrets, [secret]: password },
    };
    this.needs = [
      ...(withUser ? [{ kind: 'user', sentence: 'Taken from the address' } as const] : []),
      { kind: secret, sentence: 'Taken from the address' },
    ];
  }

  /** The next node is wanted as this, e.g. because a run needs a tester more. */
  wish(role: AddForm['role']): void {
    this.#role = role;
    this.form = { ...this.form, role };
  }

  /** Enter: looks at once when nothing was looked at yet, else adds. Answers the names that were added. */
  async enter(): Promise<readonly string[]> {
    if (this.canAdd) return this.add();
    if (this.#asked === undefined) await this.look();
    return [];
  }

  async look(): Promise<void> {
    clearTimeout(this.#timer);
    const address = this.form.address.trim();
    if (!address) return;
    this.#asked = address;
    try {
      await this.#engine.call('nodes.probe', probeInput(probeName, this.form));
    } catch (error) {
      if (this.#asked === address) this.problem = sentence(error);
    }
  }

  async add(): Promise<readonly string[]> {
    const { nodes } = this.addition;
    this.isAdding = true;
    this.problem = undefined;
    const added: string[] = [];
    try {
      for (const { name, settings, secrets } of nodes) {
        await this.#engine.call('nodes.add', { name, settings, secrets });
        added.push(name);
      }
      this.clear();
    } catch (error) {
      this.problem = sentence(error);
    } finally {
      this.isAdding = false;
    }
    return added;
  }

  /** Keeps the key that was asked about, then looks anew: SSH was left alone until now. */
  async trust(fingerprint: string): Promise<void> {
    try {
      await this.#engine.call('nodes.trustHostKey', { probe: probeName, fingerprint });
      await this.look();
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#forget();
    this.#role = undefined;
    this.form = emptyAddForm;
    this.problem = undefined;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#forget();
    this.#unsubscribe();
  }

  #forget(): void {
    this.probe = undefined;
    this.needs = [];
    if (this.#asked === undefined) return;
    this.#asked = undefined;
    // Nobody waits for the answer: a probe that is already gone needs no ending.
    this.#engine.call('nodes.probeEnd', { probe: probeName }).catch(() => undefined);
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
