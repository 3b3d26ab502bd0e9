import type { ConsentKind } from '../model/consentKind';
import { isFamilyName } from '../model/serverFamilies';
import { audiencesOf } from '../model/distribution';
import { isOriginSettings, type NodeSettings, type SecretKind, type TesterSettings } from '../model/nodeSettings';
import { externalSource, sampleSource, type Plan, type PlanHook, type Audience } from '../model/plan';
import { pushedStream } from '../plan/pushedStream';
import { isRtspSource } from '../plan/rtspSource';
import { maskAddresses } from '../secrets/addressSecrets';
import { referencesIn, referenceText } from '../secrets/references';
import { escaped, quoted } from '../text/quoted';
import type { ClusterAccess, UnusableAccess } from './clusterAccess';
import { commandText } from './commandText';
import type { ConsentItem, ConsentScope, NewNode, PlanConsent } from './consent';
import { contactsOf, sourceContact, turnContact, type Contact } from './contacts';

/** What is known of a plan's fields beside the plan. */
export interface ConsentFacts {
  /** The person has added a node with these settings. */
  readonly isOwn: (settings: NodeSettings) => boolean;
  /** The person has allowed this address of a node, or of another party. */
  readonly isKnown: (contact: Contact, of: 'node' | 'other') => boolean;
  /** The person typed the field. */
  readonly isTyped: (path: string) => boolean;
  /** A media file in the plan's folder. */
  readonly isBesidePlan: (path: string) => boolean;
  /** Hosts of the inventories, by their nodes. */
  readonly inventories: ReadonlyMap<string, readonly string[]>;
  /** What the family files of nodes reach beside the addresses of these, by their nodes. */
  readonly families: ReadonlyMap<string, readonly string[]>;
  /** By the nodes of clusters. */
  readonly clusters: ReadonlyMap<string, ClusterAccess | UnusableAccess>;
  /** Kinds of secrets that are stored under the name of a node. */
  readonly storedSecrets: (name: string) => readonly SecretKind[];
  /** Without secrets: for variables of programs, which no other user can read. */
  readonly masked: (text: string) => string;
}

/** Everything that the person has to allow before this plan may start, or its nodes may be inspected. */
export function consentOf(plan: Plan, facts: ConsentFacts, scope: ConsentScope = 'run'): PlanConsent {
  const reader = new ConsentReader(facts);
  for (const [name, settings] of Object.entries(plan.nodes)) reader.takeNode(name, settings);
  if (scope === 'run') {
    (plan.hooks ?? []).forEach((hook, place) => reader.takeHook(hook, place));
    const audiences = audiencesOf(plan);
    audiences.forEach((pull, place) => reader.takePull(pull, audiences.length > 1 ? `pull.${place}` : 'pull'));
    plan.publish.forEach((publish, place) => reader.takePublish(publish, `publish.${place}`));
  }
  return { items: reader.items, newNodes: reader.newNodes };
}

class ConsentReader {
  readonly items: ConsentItem[] = [];
  readonly newNodes: NewNode[] = [];
  /** Addresses of nodes that the person did not add, by their names. */
  private readonly foreign = new Map<string, readonly string[]>();

  constructor(private readonly facts: ConsentFacts) {}

  takeNode(name: string, settings: NodeSettings): void {
    if (this.facts.isOwn(settings)) return;
    const path = `nodes.${name}`;
    const addresses = this.addNew(name, contactsOf(path, settings, this.facts.inventories.get(name)), 'node');
    const isCluster = !isOriginSettings(settings) && settings.tester === 'kubernetes';
    const reached = isCluster ? [this.clusterText(name)] : addresses;
    if (reached.length > 0) {
      this.foreign.set(name, reached);
      const { keyFile: _key, inventory: _list, kubeconfig: _config, ...sent } = settings as TesterSettings;
      this.addSecrets(sent, path, reached);
    }
    this.addFiles(name, settings, path);
    if (settings.allowCrossOrigin)
      this.add('network', `${path}.allowCrossOrigin`, `let ${quoted(name)} redirect the run to any other address`);
    if (isCluster) this.addCluster(name, settings, path);
  }

  takeHook(hook: PlanHook, place: number): void {
    if ('run' in hook)
      this.add('program', `hooks.${place}.run`, `at ${hook.at}: run ${commandText(hook.run)} on this machine`);
    else
      this.add(
        'network',
        `hooks.${place}.post`,
        `at ${hook.at}: send the run's figures to ${escaped(maskAddresses(hook.post))}`,
      );
  }

  takePull({ stream, from, tokens, turn, headers, rooms }: Audience, path: string): void {
    this.takeStream(stream, `${path}.stream`);
    if (tokens?.command)
      this.add(
        'program',
        `${path}.tokens.command`,
        `before viewers connect: run ${commandText(tokens.command)} on this machine, for their tokens`,
      );
    if (tokens?.file !== undefined)
      this.add(
        'file',
        `${path}.tokens.file`,
        `send each line of ${quoted(tokens.file)} of this machine to ${quoted(from)}, as the token of a viewer`,
      );
    const origin = this.foreign.get(from) ?? [];
    if (origin.length > 0) {
      this.addSecrets(tokens, `${path}.tokens`, origin);
      this.addSecrets(headers, `${path}.headers`, origin);
    }
    const relay =
      turn?.url === undefined ? [] : this.addNew('TURN server', [turnContact(`${path}.turn.url`, turn.url)], 'other');
    const relays = turn?.url === undefined ? origin : relay;
    if (relays.length > 0) this.addSecrets(turn, `${path}.turn`, relays);
    if (rooms) this.takeMedia(rooms.source, `${path}.rooms.source`, from);
  }

  takePublish({ stream, node, source, simulcast = [] }: Plan['publish'][number], path: string): void {
    this.takeStream(stream, `${path}.stream`);
    if (isRtspSource(source))
      this.addNew(`source of ${escaped(stream)}`, [sourceContact(`${path}.source`, source)], 'other');
    else this.takeMedia(source, `${path}.source`, node);
    simulcast.forEach((each, place) => this.takeMedia(each, `${path}.simulcast.${place}`, node));
  }

  private takeMedia(source: string, path: string, node: string): void {
    if (source === sampleSource || source === externalSource || pushedStream(source) !== undefined) return;
    if (this.facts.isBesidePlan(source)) return;
    this.add(
      'file',
      path,
      `read ${quoted(source)} of this machine or of its testers, and publish it to ${quoted(node)}`,
    );
  }

  private addFiles(name: string, settings: NodeSettings, path: string): void {
    const { keyFile, gcLog, config } = settings;
    if (keyFile !== undefined)
      this.add(
        'file',
        `${path}.keyFile`,
        `log in to ${quoted(name)} with the private key ${quoted(keyFile)} of this machine`,
      );
    if (gcLog !== undefined)
      this.add('file', `${path}.gcLog`, `read ${quoted(gcLog)} on the host of ${quoted(name)}, as a GC log`);
    if (config !== undefined)
      this.add(
        'file',
        `${path}.config`,
        `read ${quoted(config)} on the host of ${quoted(name)}, as a server's configuration`,
      );
    if (isOriginSettings(settings)) this.addFamilyFile(name, settings.familyFile, path);
    if (!isOriginSettings(settings) && settings.inventory !== undefined)
      this.add(
        'file',
        `${path}.inventory`,
        `read the hosts of ${quoted(name)} from ${quoted(settings.inventory)} of this machine`,
      );
  }

  /** A name without a folder and an ending is a family that the person has added. */
  private addFamilyFile(name: string, file: string | undefined, path: string): void {
    if (file === undefined || isFamilyName(file)) return;
    const reached = this.facts.families.get(name) ?? [];
    if (reached.length > 0)
      this.add(
        'network',
        `${path}.familyFile`,
        `send to the host of ${quoted(name)} what ${quoted(file)} says: ${reached.map(escaped).join(', ')}`,
      );
    if (this.facts.isBesidePlan(file)) return;
    this.add(
      'file',
      `${path}.familyFile`,
      `read ${quoted(file)} of this machine, as the description of the server ${quoted(name)}`,
    );
  }

  private addCluster(name: string, settings: TesterSettings, path: string): void {
    const access = this.facts.clusters.get(name);
    const cluster = this.clusterText(name);
    if (settings.kubeconfig !== undefined) {
      const at = `${path}.kubeconfig`;
      this.add('file', at, `read the kubeconfig ${quoted(settings.kubeconfig)} of this machine`);
      if (access && !('fault' in access)) this.addAccess(access, at, cluster);
    }
    this.add('cluster', path, podsText(settings, cluster, access));
  }

  /** What the kubeconfig that a plan names does with this machine. */
  private addAccess({ user, plugin, files, proxy }: ClusterAccess, path: string, cluster: string): void {
    if (plugin) {
      const variables = Object.entries(plugin.variables).map(
        ([name, value]) => `${escaped(name)}=${quoted(this.facts.masked(value))}`,
      );
      const words = [...variables, commandText(plugin.command)].join(' ');
      this.add('program', path, `run ${words} on this machine, to log in to ${cluster} as ${quoted(user)}`);
    }
    for (const file of files) this.add('file', path, `read ${quoted(file)} of this machine, to log in to ${cluster}`);
    if (proxy !== undefined)
      this.add('network', path, `send the requests to ${cluster} by the proxy ${escaped(maskAddresses(proxy))}`);
  }

  private clusterText(name: string): string {
    const access = this.facts.clusters.get(name);
    if (!access || 'fault' in access) return 'a cluster of the kubeconfig';
    return `the cluster ${escaped(maskAddresses(access.server))} (context ${quoted(access.context)})`;
  }

  /**
   * Returns the addresses that the person does not know. Those that are no nodes are no place for secrets either once
   * they are known: they were allowed without.
   */
  private addNew(name: string, contacts: readonly Contact[], of: 'node' | 'other'): readonly string[] {
    const { isKnown, isTyped, storedSecrets } = this.facts;
    const unknown = contacts.filter((contact) => !isKnown(contact, of) && !isTyped(contact.path));
    const addresses = [...new Set(unknown.map(({ address }) => address))];
    const secrets = of === 'node' ? storedSecrets(name) : [];
    const isListed = this.newNodes.some((node) => node.name === name && String(node.addresses) === String(addresses));
    if (addresses.length > 0 && !isListed)
      this.newNodes.push({ name, addresses, ...(secrets.length > 0 ? { secrets } : {}) });
    if (of === 'node') return addresses;
    const elsewhere = contacts.filter((contact) => !contact.isHere && !isTyped(contact.path));
    return [...new Set([...addresses, ...elsewhere.map(({ address }) => address)])];
  }

  /** A name that is an address is where the server gets the stream from. */
  private takeStream(stream: string, path: string): void {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(stream))
      this.addNew(`source of ${escaped(stream)}`, [sourceContact(path, stream)], 'other');
  }

  /** Secrets that the fields name and that are sent to these addresses. */
  private addSecrets(fields: unknown, path: string, addresses: readonly string[]): void {
    if (typeof fields === 'string') {
      const names = [...new Set(referencesIn(fields).map(referenceText))];
      if (names.length > 0) this.add('secret', path, `send ${names.join(' and ')} to ${listed(addresses)}`);
      return;
    }
    if (typeof fields !== 'object' || fields === null) return;
    for (const [key, value] of Object.entries(fields)) this.addSecrets(value, `${path}.${key}`, addresses);
  }

  private add(kind: ConsentKind, path: string, text: string): void {
    if (this.facts.isTyped(path)) return;
    if (!this.items.some((item) => item.path === path && item.text === text)) this.items.push({ kind, path, text });
  }
}

/** `create 4 pods of the image "x" in the namespace "y" of the cluster …` */
function podsText(
  settings: TesterSettings,
  cluster: string,
  access: ClusterAccess | UnusableAccess | undefined,
): string {
  const { replicas = 1, image, tolerations = [], nodeSelector = {}, hostNetwork } = settings;
  const namespace = settings.namespace ?? (access && !('fault' in access) ? access.namespace : undefined);
  const { pullPolicy, resources = {} } = settings;
  const selected = Object.entries(nodeSelector).map(([label, value]) => quoted(`${label}=${value}`));
  const requested = Object.entries(resources).map(([name, value]) => `${escaped(name)} ${quoted(String(value))}`);
  return [
    `create ${replicas} ${replicas === 1 ? 'pod' : 'pods'} of ${image === undefined ? 'no image' : `the image ${quoted(image)}`} in ` +
      `${namespace === undefined ? 'the namespace' : `the namespace ${quoted(namespace)}`} of ${cluster}`,
    ...(hostNetwork ? ['with the network of their nodes'] : []),
    ...tolerations.map(
      ({ key, operator, value, effect }) =>
        `tolerating ${key === undefined ? 'every taint' : `the taint ${quoted(key)}`}` +
        `${operator === undefined && value === undefined ? '' : ` (${[operator, value].flatMap((each) => (each === undefined ? [] : [quoted(each)])).join(' ')})`}` +
        `${effect === undefined ? '' : ` of ${quoted(effect)}`}`,
    ),
    ...(selected.length > 0 ? [`on nodes with ${selected.join(', ')}`] : []),
    ...(requested.length > 0 ? [`requesting ${requested.join(', ')}`] : []),
    ...(pullPolicy === undefined ? [] : [`pulling the image ${quoted(pullPolicy)}`]),
  ].join(', ');
}

const maxListed = 3;
const listed = (addresses: readonly string[]): string =>
  addresses.length > maxListed
    ? `${addresses.slice(0, maxListed).join(', ')} and ${addresses.length - maxListed} more addresses`
    : addresses.join(', ');
