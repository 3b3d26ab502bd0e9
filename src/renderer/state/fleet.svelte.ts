import type { ShellApi } from '../../contract/shell';
import type { NodeView } from '../../domain/node';
import type { NodeSecrets, NodeSettings } from '../../domain/nodeSettings';
import { AddDraft } from '../nodes/addDraft.svelte';
import type { Engine } from './connection';
import type { Notices } from './notices.svelte';

/** What a click in the list of nodes does. Every call that fails ends as a notice with its sentence. */
export class Fleet {
  readonly adding: AddDraft;
  /** Id of the chosen row. */
  selected = $state<string>();
  readonly #engine: Engine;
  readonly #shell: ShellApi;
  readonly #notices: Notices;

  constructor(engine: Engine, shell: ShellApi, notices: Notices) {
    this.#engine = engine;
    this.#shell = shell;
    this.#notices = notices;
    this.adding = new AddDraft(engine);
  }

  dispose(): void {
    this.adding.dispose();
  }

  /** Answers why it was refused; undefined when the node is as wished. */
  async edit(
    node: NodeView,
    {
      named,
      ...change
    }: {
      readonly name: string;
      readonly settings: NodeSettings;
      readonly secrets: NodeSecrets;
      readonly named?: Readonly<Record<string, string>>;
    },
  ): Promise<string | undefined> {
    try {
      for (const [name, value] of Object.entries(named ?? {}))
        if (value !== '') await this.#engine.call('secrets.name', { name, value });
      const { id } = await this.#engine.call('nodes.edit', { node: node.id, ...change });
      this.selected = id;
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async remove(node: NodeView): Promise<void> {
    if (await this.#try(() => this.#engine.call('nodes.remove', { node: node.id })))
      this.#notices.done(`Removed "${node.name}". Kept runs still show what it did.`);
  }

  async reconnect(node: NodeView): Promise<void> {
    await this.#try(() => this.#engine.call('nodes.reconnect', { node: node.id }));
  }

  async trustHostKey(node: NodeView, fingerprint: string): Promise<boolean> {
    const call = (): Promise<unknown> =>
      this.#engine.call('nodes.trustHostKey', { node: node.id, fingerprint });
    return (await this.#try(call)) !== undefined;
  }

  /** What is left of the agent on a tester; rejects with a sentence. */
  async removeAgent(node: NodeView): Promise<readonly string[]> {
    return (await this.#engine.call('nodes.removeAgent', { node: node.id })).left;
  }

  async export(): Promise<void> {
    const saved = await this.#try(async () => {
      const { yaml } = await this.#engine.call('nodes.export', {});
      return this.#shell.call('shell.saveText', { suggestedName: 'fleet.yaml', text: yaml });
    });
    if (saved) this.#notices.done(`Saved ${saved.path}, without secrets.`);
  }

  async chooseImport(): Promise<void> {
    const file = await this.#try(() => this.#shell.call('shell.openText', { kind: 'fleet' }));
    if (file) await this.import(file.text);
  }

  async importDropped(file: File): Promise<void> {
    await this.#try(async () => this.import(await file.text()));
  }

  async import(yaml: string): Promise<void> {
    const imported = await this.#try(() => this.#engine.call('nodes.import', { yaml }));
    if (!imported) return;
    const { added, remarks } = imported;
    this.#notices.done(added.length > 0 ? `Added ${added.join(', ')}.` : 'No node was added.');
    for (const remark of remarks) this.#notices.problem(remark);
  }

  async #try<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      this.#notices.problem(error);
      return undefined;
    }
  }
}
