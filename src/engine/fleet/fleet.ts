import {
  isGroup,
  isOriginSettings,
  secretKinds,
  type NodeSecrets,
  type NodeSettings,
} from '../../domain/model/nodeSettings';
import { exampleNodesFault } from '../../domain/node/exampleAddress';
import type { NodeRole } from '../../domain/model/node';
import type { PlanNode } from '../../domain/model/plan';
import { referencesIn } from '../../domain/secrets/references';
import type { SecretMask } from '../../domain/secrets/secretMask';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { requireReal } from '../base/realAddress';
import { missingSecret, resolvedSettings, secretsNamedIn } from '../secrets/resolve';
import type { LoadDriver } from '../load/driver';
import { familyOf } from '../servers/families';
import { AgentNode } from './agentNode';
import type { FleetFile } from './fleetFile';
import { openGroup, type OpenSource } from './group/openGroup';
import type { HostKeyStore } from './hostKeyStore';
import { LocalServers } from './localServers';
import { isRemote, thisMachine, type FleetNode, type NodeChange, type RemoteNode } from './node';
import { OriginNode } from './originNode';
import type { LocalAgents } from '../links/localAgent';
import type { SecretBox } from '../secrets/secretBox';
import { thisOwner } from '../kubernetes/thisOwner';
import { OwnProcesses, localMachineKey } from '../telemetry/ownProcesses';
import { sameSettings } from '../../domain/node/sameSettings';
import { requireUsable } from './usableSettings';
import { SshTester } from './sshTester';
import { WcsTester } from './wcsTester';

export interface FleetOptions {
  readonly agentFolder: string;
  readonly samplesFolder: string;
  /** Versions by name; `fullhouse` is ours. */
  readonly versions: Readonly<Record<string, string>>;
  /** Where the lab serves WHIP and WHEP; port 0 for any. */
  readonly labHttp: string;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly hostKeys: HostKeyStore;
  readonly file: FleetFile;
  readonly openGroupSource?: OpenSource;
  readonly localAgents?: LocalAgents | undefined;
  /** Folder of the user's server families. */
  readonly familiesFolder?: string | undefined;
}

/** Longer than the notice that offers the undo is shown. */
const undoRemoveMs = 60_000;

/** What is needed to restore a removed node. */
interface RemovedNode {
  readonly settings: NodeSettings;
  readonly secrets: NodeSecrets;
  readonly place: number;
  readonly slot: number;
  readonly isKept: boolean;
  readonly untilMs: number;
}

/** The nodes: the lab and this machine's tester always exist, the user adds others, and a plan may bring its own. */
export class Fleet {
  readonly changes = new Emitter<{ readonly node: FleetNode; readonly change: NodeChange }>();
  private all: FleetNode[] = [];
  /** Nodes that the user added, which are saved; those of a plan are not. */
  private readonly kept = new Set<string>();
  /** Entries of the file with invalid settings: they stay in the file, to be fixed there. */
  private readonly unusable = new Map<string, NodeSettings>();
  /** Settings as written, with references in place of secrets. */
  private readonly written = new WeakMap<FleetNode, NodeSettings>();
  private lastSlot = 0;
  /** The processes of the test on all machines. */
  readonly own = new OwnProcesses();
  private readonly localServers = new LocalServers(this.own, localMachineKey());
  /** The owner of what is created in clusters. */
  private readonly clusterOwner = thisOwner();
  /** This machine's lab. */
  readonly lab: AgentNode;
  /** This machine as a tester: the node to which its host's figures belong while nothing runs. */
  readonly machine: AgentNode;
  /** Recently removed nodes; a removal can be undone for `undoRemoveMs`. */
  private readonly removed = new Map<string, RemovedNode>();

  constructor(private readonly options: FleetOptions) {
    this.lab = this.addLocal('lab', { server: 'lab' }, true);
    this.machine = this.addLocal('local', { tester: 'local' }, true);
    for (const [name, settings] of Object.entries(options.file.read()))
      try {
        this.make(name, settings);
        this.kept.add(name);
      } catch (error) {
        this.unusable.set(name, settings);
        options.file.problem(`The saved node ${name} is ignored. ${(error as Error).message}`);
      }
  }

  get nodes(): readonly FleetNode[] {
    return this.all;
  }

  /** Throws a sentence when the node does not exist. */
  node(id: string): FleetNode {
    const match = this.find(id);
    if (!match) throw new FullhouseError('no-node', `Unknown node "${id}".`);
    return match;
  }

  find(id: string): FleetNode | undefined {
    return this.all.find((node) => node.id === id);
  }

  /** Throws a sentence when the node belongs to this machine. */
  remote(id: string): RemoteNode {
    const node = this.node(id);
    if (isRemote(node)) return node;
    throw new FullhouseError('built-in', `"${id}" belongs to this machine and can't be changed.`);
  }

  /** Adds a node and saves it. Throws when the name is in use. */
  add(name: string, settings: NodeSettings, secrets: NodeSecrets): FleetNode {
    this.requireFree(name);
    this.options.secrets.change(name, secrets);
    let node: FleetNode;
    try {
      node = this.make(name, settings);
    } catch (error) {
      this.options.secrets.forget(name);
      throw error;
    }
    this.unusable.delete(name);
    this.kept.add(name);
    this.save();
    return node;
  }

  /**
   * Replaces a node by one with other settings, in its position and colour. With invalid settings it stays as it is.
   */
  async edit(id: string, name: string, settings: NodeSettings, secrets: NodeSecrets): Promise<FleetNode> {
    const before = this.remote(id);
    if (name !== id) this.requireFree(name);
    requireUsable(name, settings);
    this.options.secrets.rename(id, name);
    this.options.secrets.change(name, secrets);
    const place = this.all.indexOf(before);
    const slot = before.view().colourSlot;
    await before.close();
    this.all = this.all.filter((node) => node !== before);
    const node = this.makeAt(place, name, settings, slot);
    if (this.kept.delete(id)) this.kept.add(name);
    this.save();
    return node;
  }

  /**
   * Recreates the nodes whose settings name secrets: the keychain opens after the fleet's file, and a secret may have
   * changed.
   */
  async resolveAgain(): Promise<void> {
    for (const node of [...this.all]) {
      const written = this.writtenOf(node);
      if (!isRemote(node) || referencesIn(JSON.stringify(written)).length === 0) continue;
      const fault = exampleNodesFault({ [node.id]: resolvedSettings(written, this.options.secrets) });
      if (fault !== undefined) {
        this.options.file.problem(fault);
        continue;
      }
      const place = this.all.indexOf(node);
      const slot = node.view().colourSlot;
      await node.close();
      this.all = this.all.filter((other) => other !== node);
      this.makeAt(place, node.id, written, slot);
    }
  }

  /** A node's settings as the user wrote them. */
  writtenOf(node: FleetNode): NodeSettings {
    return this.written.get(node) ?? node.settings;
  }

  /**
   * Removes a node. The keychain deletes its secrets at once; `restore` brings back node and secrets for a limited
   * time.
   */
  async remove(id: string): Promise<void> {
    const { secrets, clock } = this.options;
    const node = this.remote(id);
    this.removed.set(id, {
      settings: this.writtenOf(node),
      secrets: secrets.stored(id),
      place: this.all.indexOf(node),
      slot: node.view().colourSlot,
      isKept: this.kept.has(id),
      untilMs: clock.now() + undoRemoveMs,
    });
    this.all = this.all.filter((other) => other !== node);
    this.kept.delete(id);
    secrets.forget(id);
    this.save();
    await node.close();
  }

  /**
   * Undoes a removal: restores the node's settings, secrets, colour and position. Throws when the time has passed or
   * the name is in use.
   */
  restore(id: string): FleetNode {
    const { secrets, clock } = this.options;
    const before = this.removed.get(id);
    if (!before || clock.now() > before.untilMs)
      throw new FullhouseError('no-node', `The removal of "${id}" can no longer be undone; add the node again.`);
    this.requireFree(id);
    secrets.change(id, before.secrets);
    const node = this.makeAt(before.place, id, before.settings, before.slot);
    this.removed.delete(id);
    if (before.isKept) this.kept.add(id);
    this.save();
    return node;
  }

  /** The saved nodes by name, as exported. */
  settings(): Record<string, NodeSettings> {
    return Object.fromEntries(
      this.all.filter((node) => this.kept.has(node.id)).map((node) => [node.id, this.writtenOf(node)]),
    );
  }

  /**
   * Finds a node for each of the plan's names: the one of that name, else one of the same settings that no other name
   * uses, else a new one. `taken` holds the names of the active run.
   */
  bind(
    planNodes: Readonly<Record<string, PlanNode>>,
    taken: ReadonlyMap<string, FleetNode> = new Map(),
  ): Map<string, FleetNode> {
    // All of them before the first is opened.
    requireReal(exampleNodesFault(planNodes));
    const bound = new Map(taken);
    const isTaken = (node: FleetNode): boolean => [...bound.values()].includes(node);
    const open = Object.entries(planNodes).filter(([name]) => !bound.has(name));
    for (const [name, settings] of Object.entries(planNodes)) {
      const ofRun = taken.get(name);
      if (ofRun && ofRun.role === roleOf(settings) && !sameSettings(this.writtenOf(ofRun), settings))
        throw new FullhouseError(
          'bad-plan',
          `The active run has a node "${name}" with other settings; use another name or the same settings.`,
        );
      const known = bound.get(name) ?? this.find(name);
      if (known && known.role !== roleOf(settings))
        throw new FullhouseError(
          'bad-plan',
          `"${name}" is ${known.role === 'origin' ? 'an origin' : 'a tester'} already; use another name.`,
        );
      if (known && !isTaken(known) && sameSettings(this.writtenOf(known), settings)) bound.set(name, known);
    }
    for (const [name, settings] of open) {
      if (bound.has(name)) continue;
      const free = this.all.find((node) => sameSettings(this.writtenOf(node), settings) && !isTaken(node));
      if (!free && this.find(name))
        throw new FullhouseError(
          'bad-plan',
          `A node "${name}" exists already with other settings; use another name or the same settings.`,
        );
      bound.set(name, free ?? this.make(name, settings));
    }
    return bound;
  }

  tick(nowMs: number): void {
    for (const [id, { untilMs }] of this.removed) if (nowMs > untilMs) this.removed.delete(id);
    void this.localServers.tick(
      nowMs,
      this.all.flatMap((node) =>
        node instanceof OriginNode && node.host === thisMachine ? [{ id: node.id, process: node.processName }] : [],
      ),
    );
    for (const node of this.all) node.tick(nowMs);
  }

  /** Stops all agents of this machine and disconnects from the others; resolves when their processes are gone. */
  async shutdown(force = false): Promise<void> {
    await Promise.all(this.all.map((node) => (isRemote(node) ? node.close() : node.stop(force))));
  }

  private requireFree(name: string): void {
    if (this.find(name))
      throw new FullhouseError('name-taken', `A node "${name}" exists already; choose another name.`);
  }

  private save(): void {
    this.options.file.write({ ...Object.fromEntries(this.unusable), ...this.settings() });
  }

  private make(name: string, settings: NodeSettings, colourSlot?: number): FleetNode {
    requireUsable(name, settings);
    const local = isOriginSettings(settings) ? settings.server === 'lab' : settings.tester === 'local';
    if (local) return this.addLocal(name, settings, false);
    const { options } = this;
    const { secrets } = options;
    const resolved = resolvedSettings(settings, secrets);
    requireReal(exampleNodesFault({ [name]: resolved }));
    learnAddresses(settings, secrets.mask);
    learnAddresses(resolved, secrets.mask);
    const common = {
      id: name,
      written: settings,
      lacking: missingSecret(settings, secrets),
      colourSlot: colourSlot ?? this.nextSlot(),
      secrets: () => ({ ...secrets.of(name), ...secretsNamedIn(settings, secrets) }),
      secretKinds: () => secretKinds.filter((kind) => common.secrets()[kind] !== undefined),
      hostKeys: options.hostKeys,
      clock: options.clock,
      own: this.own,
      versions: options.versions,
    };
    const { agentFolder, samplesFolder } = options;
    const { clusterOwner } = this;
    const node = isOriginSettings(resolved)
      ? new OriginNode(common, resolved, familyOf(resolved, options.familiesFolder))
      : resolved.tester === 'wcs'
        ? new WcsTester(common, resolved)
        : isGroup(resolved)
          ? openGroup({ ...common, agentFolder, samplesFolder, clusterOwner }, resolved, options.openGroupSource)
          : new SshTester({ ...common, agentFolder, samplesFolder }, resolved);
    this.written.set(node, settings);
    return this.take(node);
  }

  private makeAt(place: number, name: string, settings: NodeSettings, slot: number): FleetNode {
    const node = this.make(name, settings, slot);
    this.all = this.all.filter((other) => other !== node);
    this.all.splice(place, 0, node);
    return node;
  }

  /** This machine's tester, started if it does not run. Rejects with a sentence. */
  async machineDriver(): Promise<LoadDriver> {
    await this.machine.start();
    return this.machine.driver;
  }

  private addLocal(id: string, settings: NodeSettings, builtIn: boolean): AgentNode {
    const { agentFolder, samplesFolder, versions, labHttp, clock, localAgents } = this.options;
    return this.take(
      new AgentNode({
        agentFolder,
        samplesFolder,
        versions,
        labHttp,
        own: this.own,
        machine: localMachineKey(),
        clock,
        agents: localAgents,
        id,
        settings,
        builtIn,
        colourSlot: this.nextSlot(),
      }),
    );
  }

  private nextSlot(): number {
    return (this.lastSlot += 1);
  }

  private take<N extends FleetNode>(node: N): N {
    this.all.push(node);
    node.changes.on((change) => this.changes.emit({ node, change }));
    return node;
  }
}

function learnAddresses(settings: NodeSettings, mask: SecretMask): void {
  for (const text of Object.values(settings)) if (typeof text === 'string') mask.addAddresses(text);
}

function roleOf(settings: NodeSettings): NodeRole {
  return isOriginSettings(settings) ? 'origin' : 'tester';
}
