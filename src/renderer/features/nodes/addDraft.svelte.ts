import type { NodeView } from '../../../domain/model/node';
import type { ProbeView } from '../../../domain/model/probe';
import { isGroup } from '../../../domain/model/nodeSettings';
import { pastedAddress } from '../../../domain/node/pastedAddress';
import { typedPassword, type TypedPassword } from '../../../domain/node/typedPassword';
import type { WindowClient } from '../../client/connection';
import { emptyGroupForm, groupAddition, typedHosts, type GroupForm } from './groupForm';
import { additionOf, needsNewProbe, emptyAddForm, offerOf, probeInput, takenNames, type AddForm } from './addForm';
import { errorText } from '../../../domain/text/errorText';

/** Debounce of the probe; Enter probes immediately. */
const quietMs = 400;
/** Name of this window's probe; a new one of the same name ends the previous one. */
const probeName = 'add-node';

interface TakenApart extends TypedPassword {
  readonly selfSigned?: true;
}

/** What was typed or pasted, if it is more than an address: a curl line, an encoder's server and key, a password. */
function takenApart(text: string): TakenApart | undefined {
  const pasted = pastedAddress(text);
  if (!pasted) return typedPassword(text);
  const { address, user = '', password = '', selfSigned } = pasted;
  return { address, user, password, kind: 'api', ...(selfSigned ? { selfSigned } : {}) };
}

/** A node being added: the input and the engine's findings. */
export class AddDraft {
  form = $state.raw<AddForm>(emptyAddForm);
  probe = $state.raw<ProbeView>();
  /** All credentials this address has needed so far: a field must not disappear while it is filled in. */
  needs = $state.raw<ProbeView['needs']>([]);
  /** Why the probe could not start, or why adding failed; one sentence. */
  problem = $state<string>();
  isAdding = $state(false);
  #nodes = $state.raw<readonly NodeView[]>([]);
  readonly #engine: WindowClient;
  readonly #unsubscribe: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Preferred role of the new node, independent of the address. */
  #role: AddForm['role'];
  /** The address being probed. */
  #probed: string | undefined;

  readonly offer = $derived.by(() => offerOf(this.form, this.probe));
  /** Several hosts were typed: they are added as a tester group, without a probe. */
  readonly hosts = $derived.by(() => typedHosts(this.form.address));
  group = $state.raw<GroupForm>(emptyGroupForm);
  readonly addition = $derived.by(() =>
    this.hosts
      ? groupAddition(this.group, this.hosts, this.form, takenNames(this.#nodes))
      : additionOf(this.form, this.probe, takenNames(this.#nodes)),
  );
  readonly canAdd = $derived(this.addition.nodes.length > 0 && !this.isAdding);
  readonly isProbing = $derived(this.probe !== undefined && !this.probe.isDone);
  /** A server was found, and nothing of it has been played. */
  readonly canPlay = $derived(
    this.probe !== undefined &&
      this.probe.isDone &&
      this.probe.can.pull.length > 0 &&
      this.probe.origins.length > 0 &&
      !this.probe.rows.some(({ id }) => id === 'play'),
  );

  constructor(engine: WindowClient) {
    this.#engine = engine;
    this.#unsubscribe = engine.on('probe', (probe) => {
      if (probe.probe !== probeName || this.#probed === undefined) return;
      this.probe = probe;
      const fresh = probe.needs.filter(({ kind }) => !this.needs.some((known) => known.kind === kind));
      if (fresh.length > 0) this.needs = [...this.needs, ...fresh];
    });
  }

  /** Names in use. */
  know(nodes: readonly NodeView[]): void {
    this.#nodes = nodes;
  }

  change(typed: Partial<AddForm>): void {
    const taken = typed.address === undefined ? undefined : takenApart(typed.address);
    const change = taken
      ? { ...typed, address: taken.address, ...(taken.selfSigned ? { selfSigned: true } : {}) }
      : typed;
    const isAnother = change.address !== undefined && change.address.trim() !== this.form.address.trim();
    // Another address is another node: input for the previous one does not apply.
    this.form = isAnother
      ? { ...emptyAddForm, role: this.#role, address: change.address ?? '' }
      : // What was typed about one server is not about another one.
        { ...this.form, ...(change.server === undefined ? {} : { addresses: {} }), ...change };
    this.problem = undefined;
    if (!isAnother && !taken && (change.address !== undefined || !needsNewProbe(change))) return;
    clearTimeout(this.#timer);
    if (isAnother) this.#forget();
    if (taken) this.#fillIn(taken);
    if (this.form.address.trim() && !this.hosts) this.#timer = setTimeout(() => void this.look(), quietMs);
  }

  /** A password typed in the address moves to its own field, where it is masked. */
  #fillIn({ user, password, kind, selfSigned }: TakenApart): void {
    if (selfSigned) this.form = { ...this.form, selfSigned };
    if (password === '') return;
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

  /** Preferred role of the next node, e.g. because a run needs one more tester. */
  prefer(role: AddForm['role']): void {
    this.#role = role;
    this.form = { ...this.form, role };
  }

  /** Enter: probes if not probed yet, else adds. Returns the names added. */
  async enter(): Promise<readonly string[]> {
    if (this.canAdd) return this.add();
    if (this.#probed === undefined) await this.look();
    return [];
  }

  /** Probes the address; with `play`, a stream found there is played for one second over each protocol. */
  async look(play = false): Promise<void> {
    clearTimeout(this.#timer);
    const address = this.form.address.trim();
    if (!address || this.hosts) return;
    this.#probed = address;
    try {
      await this.#engine.call('nodes.probe', { ...probeInput(probeName, this.form), ...(play ? { play } : {}) });
    } catch (error) {
      if (this.#probed === address) this.problem = errorText(error);
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
        // Its members are prepared now: missing ones are known before the first run.
        if (isGroup(settings)) await this.#engine.call('nodes.reconnect', { node: name });
      }
      this.clear();
    } catch (error) {
      this.problem = errorText(error);
    } finally {
      this.isAdding = false;
    }
    return added;
  }

  /** Saves the key in question, then probes again: SSH was not used until now. */
  async trust(fingerprint: string): Promise<void> {
    // A probe due meanwhile would be replaced by the one below, and its findings with it.
    clearTimeout(this.#timer);
    try {
      await this.#engine.call('nodes.trustHostKey', { probe: probeName, fingerprint });
      await this.look();
    } catch (error) {
      this.problem = errorText(error);
    }
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#forget();
    this.#role = undefined;
    this.form = emptyAddForm;
    this.group = emptyGroupForm;
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
    if (this.#probed === undefined) return;
    this.#probed = undefined;
    // Result ignored: the probe may have ended already.
    this.#engine.call('nodes.probeEnd', { probe: probeName }).catch(() => undefined);
  }
}
