import type { ShellApi } from '../../../contract/shell';
import type { PlanConsent } from '../../../domain/consent/consent';
import type { NodeView } from '../../../domain/model/node';
import type { NodeSecrets, NodeSettings } from '../../../domain/model/nodeSettings';
import type { Plan } from '../../../domain/model/plan';
import { AddDraft } from './addDraft.svelte';
import type { NodeSort } from './nodeList';
import { hasAgent } from '../../parts/nodes/rowText';
import type { WindowClient } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';
import { noticeOfSaved } from '../../ui/notices/savedFile';
import { errorText } from '../../../domain/text/errorText';

/** Nodes of a file that the user has not added yet: listed before they are. */
export interface ReviewedNodes {
  readonly yaml: string;
  readonly plan: Plan;
  readonly consent: PlanConsent;
}

/** Actions of the node list. Every failed call becomes a notice with its sentence. */
export class Fleet {
  /** Shown by the window. */
  review = $state.raw<ReviewedNodes>();
  readonly adding: AddDraft;
  /** Id of the current row. */
  selected = $state<string>();
  /** Ids of the selected rows. */
  chosen = $state.raw<readonly string[]>([]);
  /** Filter of the list. */
  filter = $state('');
  /** The sort column; absent: in order of adding. */
  sort = $state.raw<NodeSort>();
  readonly #engine: WindowClient;
  readonly #shell: ShellApi;
  readonly #notices: Notices;

  constructor(engine: WindowClient, shell: ShellApi, notices: Notices) {
    this.#engine = engine;
    this.#shell = shell;
    this.#notices = notices;
    this.adding = new AddDraft(engine);
  }

  dispose(): void {
    this.adding.dispose();
  }

  /** Returns why it was refused; undefined on success. */
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
      this.select(id);
      return undefined;
    } catch (error) {
      return errorText(error);
    }
  }

  /** Makes a row current, and selects it or these. */
  select(node: string, rows: readonly string[] = [node]): void {
    this.selected = node;
    this.chosen = rows;
  }

  /** Removes nodes one by one; a notice offers undo. Refusals are reported. */
  async remove(nodes: readonly NodeView[]): Promise<void> {
    const gone: NodeView[] = [];
    for (const node of nodes)
      if (await this.#try(() => this.#engine.call('nodes.remove', { node: node.id }))) gone.push(node);
    const [first] = gone;
    if (!first) return;
    this.chosen = this.chosen.filter((id) => gone.every((node) => node.id !== id));
    const what = gone.length === 1 ? `"${first.name}"` : `${gone.length} nodes`;
    const left = gone.filter(({ settings }) => hasAgent(settings)).map(({ name }) => name);
    const agents =
      left.length === 0
        ? ''
        : left.length === 1
          ? ` The agent's files remain on the host of ${left.join('')}.`
          : ` The files of ${left.length} agents remain on their hosts.`;
    this.#notices.done(`Removed ${what}.${agents}`, { text: 'Undo', run: () => void this.#restore(gone) });
  }

  /** In reverse order, to restore their positions. */
  async #restore(gone: readonly NodeView[]): Promise<void> {
    for (const { id } of [...gone].reverse()) await this.#try(() => this.#engine.call('nodes.restore', { node: id }));
    const [first] = gone;
    if (first)
      this.select(
        first.id,
        gone.map(({ id }) => id),
      );
  }

  async reconnect(node: NodeView): Promise<void> {
    await this.#try(() => this.#engine.call('nodes.reconnect', { node: node.id }));
  }

  async trustHostKey(node: NodeView, fingerprint: string): Promise<boolean> {
    const call = (): Promise<unknown> => this.#engine.call('nodes.trustHostKey', { node: node.id, fingerprint });
    return (await this.#try(call)) !== undefined;
  }

  /** Remaining files of the agent on a tester; rejects with a sentence. */
  async removeAgent(node: NodeView): Promise<readonly string[]> {
    return (await this.#engine.call('nodes.removeAgent', { node: node.id })).remaining;
  }

  async export(): Promise<void> {
    const saved = await this.#try(async () => {
      const { yaml } = await this.#engine.call('nodes.export', {});
      return this.#shell.call('shell.saveText', { suggestedName: 'fleet.yaml', text: yaml });
    });
    if (saved) noticeOfSaved(this.#shell, this.#notices, saved.path, ', without secrets.');
  }

  async chooseImport(): Promise<void> {
    const file = await this.#try(() => this.#shell.call('shell.openText', { kind: 'fleet' }));
    if (file) await this.import(file.text);
  }

  async importDropped(file: File): Promise<void> {
    await this.#try(async () => this.import(await file.text()));
  }

  /** Adds the nodes of a text; those that would be contacted or start something are listed first. */
  async import(yaml: string): Promise<void> {
    const plan = await planOfNodes(yaml);
    if (!plan) return this.#add(yaml);
    const consent = await this.#try(() => this.#engine.call('plans.consent', { plan, scope: 'nodes' }));
    if (!consent) return;
    if (consent.items.length + consent.newNodes.length > 0) this.review = { yaml, plan, consent };
    else await this.#add(yaml);
  }

  /** Adds the nodes that have been listed. */
  async addReviewed(): Promise<void> {
    const { review } = this;
    this.review = undefined;
    if (review) await this.#add(review.yaml);
  }

  async #add(yaml: string): Promise<void> {
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

/** A plan with the nodes of a text, for what they contact and start; undefined if the text has none. */
async function planOfNodes(yaml: string): Promise<Plan | undefined> {
  try {
    const { parseNodes } = await import('../../../domain/plan/planYaml');
    const nodes = parseNodes(yaml);
    const [from] = Object.keys(nodes);
    if (from === undefined) return undefined;
    const pull = {
      stream: 'none',
      from,
      by: [from],
      protocol: 'whep',
      viewers: 1,
      ratePerSecond: 1,
      holdMs: 1000,
    } as const;
    return { name: 'Nodes', nodes, publish: [], pull, expect: {} };
  } catch {
    // The engine reports it with its line.
    return undefined;
  }
}
