import { nodeNameFault } from '../../../domain/plan/planNames';
import type { CallInput } from '../../../contract/engine';
import type { NodeView } from '../../../domain/model/node';
import {
  isHostSecret,
  nodeFlags,
  reachKeys,
  type NodeFlag,
  type NodeSecrets,
  type NodeSettings,
  type OriginSettings,
  type SecretKind,
  type TesterSettings,
} from '../../../domain/model/nodeSettings';
import type { NodeToAdd, ProbeView } from '../../../domain/model/probe';
import { streamAddressKeys } from '../../../domain/model/addressKeys';
import { traitsOf } from '../../../domain/model/serverFamilies';
import { addressFaults } from '../../../domain/node/addressFault';
import { genericOrigin } from './genericAddress';

export type AddRole = 'origin' | 'tester' | 'both';

/** Texts that only become part of the node's settings; a change of `reachKeys` probes again. */
const sourceKeys = ['nodeExporter', 'process', 'prometheus', 'instance', 'gcLog', 'config'] as const;
/** Texts besides the address, in reading order. */
export const moreKeys = ['ssh', ...reachKeys, ...sourceKeys] as const;

/** Addresses of an origin, in reading order: of its API, then of its streams. */
const originAddressKeys = ['url', 'ws', 'control', 'metrics', ...streamAddressKeys] as const;
export type OriginAddressKey = (typeof originAddressKeys)[number];

/** Values of the Add node fields, as typed. */
export interface AddForm
  extends Readonly<Record<(typeof moreKeys)[number], string>>, Readonly<Record<NodeFlag, boolean>> {
  readonly address: string;
  readonly secrets: NodeSecrets;
  /** As typed, instead of those that were found; an empty one is left out. */
  readonly addresses: Readonly<Partial<Record<OriginAddressKey, string>>>;
  /** Index of the chosen server; by default the most certain one. */
  readonly server: number;
  /** Absent for the probe's suggestion. */
  readonly role?: AddRole;
  readonly name?: string;
}

export const emptyAddForm: AddForm = {
  ...(Object.fromEntries(moreKeys.map((key) => [key, ''])) as Record<(typeof moreKeys)[number], string>),
  ...(Object.fromEntries(nodeFlags.map((key) => [key, false])) as Record<NodeFlag, boolean>),
  address: '',
  secrets: {},
  addresses: {},
  server: 0,
};

const probedKeys = ['address', ...reachKeys, ...nodeFlags, 'secrets'] as const;
const originOnly = ['user', 'apiKey'] as const;
const hostKeys = moreKeys.filter((key) => !originOnly.some((each) => each === key));

/** Whether a change invalidates the findings. */
export function needsNewProbe(change: Partial<AddForm>): boolean {
  return probedKeys.some((key) => change[key] !== undefined);
}

const filled = <K extends string>(
  fields: Readonly<Record<K, string>>,
  keys: readonly K[],
): Partial<Record<K, string>> =>
  Object.fromEntries(keys.map((key) => [key, fields[key].trim()]).filter(([, text]) => text !== '')) as Partial<
    Record<K, string>
  >;

/** The switches that are on, as settings have them. */
export function raisedFlags(form: Readonly<Record<NodeFlag, boolean>>): Partial<Record<NodeFlag, true>> {
  return Object.fromEntries(nodeFlags.filter((key) => form[key]).map((key) => [key, true]));
}

function filledSecrets(secrets: NodeSecrets): NodeSecrets {
  return Object.fromEntries(Object.entries(secrets).filter(([, text]) => text !== ''));
}

/** Input of the probe. */
export function probeInput(probe: string, form: AddForm): CallInput<'nodes.probe'> {
  return {
    probe,
    address: form.address.trim(),
    ...filled(form, reachKeys),
    ...raisedFlags(form),
    secrets: filledSecrets(form.secrets),
  };
}

/** What can be added now: the chosen server of those found, and a tester. */
export interface Offer {
  readonly origin?: OriginSettings;
  readonly tester?: TesterSettings;
  /** The origin is a plain address: no responding server was recognised. */
  readonly isGuess: boolean;
  readonly roles: readonly AddRole[];
}

export function offerOf(form: AddForm, probe: ProbeView | undefined): Offer {
  const found = probe?.origins[form.server] ?? probe?.origins[0];
  const tester = probe?.tester;
  if (probe?.isUnknownHost) return { isGuess: false, roles: [] };
  const guess = probe && !found ? guessOf(form, probe) : undefined;
  const origin = found?.settings ?? guess;
  const roles: AddRole[] = [];
  if (origin) roles.push('origin');
  if (tester) roles.push('tester');
  if (origin && tester) roles.push('both');
  return { origin, tester, isGuess: guess !== undefined, roles };
}

/** A server that was not recognised: its address names a stream, or addresses were typed. */
function guessOf(form: AddForm, { address, tester }: ProbeView): OriginSettings | undefined {
  const guess = tester ? undefined : genericOrigin(address);
  const isTyped = Object.values(form.addresses).some((text) => text.trim() !== '');
  return guess ?? (isTyped ? { server: 'generic' } : undefined);
}

/** The addresses that a server of this family has, and others that are set. */
export function addressFields(settings: OriginSettings): readonly OriginAddressKey[] {
  const { settings: usual = [] } = traitsOf(settings.server);
  return originAddressKeys.filter((key) => usual.includes(key) || settings[key] !== undefined);
}

/** Settings with the typed addresses, those only that such a server has a field for. */
function withAddresses(origin: OriginSettings, typed: AddForm['addresses']): OriginSettings {
  const isEmpty = (key: OriginAddressKey): boolean => typed[key]?.trim() === '';
  const kept = Object.entries(origin).filter(([key]) => !isEmpty(key as OriginAddressKey));
  const filledKeys = addressFields(origin).filter((key) => typed[key]?.trim());
  return {
    ...(Object.fromEntries(kept) as unknown as OriginSettings),
    ...Object.fromEntries(filledKeys.map((key) => [key, typed[key]?.trim()])),
  };
}

/** The role to add: the chosen one if available, else the probe's suggestion, else any. */
export function roleOf(form: AddForm, probe: ProbeView | undefined, offer: Offer): AddRole | undefined {
  const preferred = [form.role, probe?.suggestedRole];
  return preferred.find((role) => role !== undefined && offer.roles.includes(role)) ?? offer.roles[0];
}

/** One sentence if the name is invalid. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  return nodeNameFault(name) ?? (taken.includes(name) ? `A node "${name}" already exists.` : undefined);
}

/** Names unavailable to a new node. */
export function takenNames(nodes: readonly NodeView[]): readonly string[] {
  return nodes.flatMap(({ id, name }) => [id, name]);
}

function secretsFor(node: NodeToAdd, secrets: NodeSecrets): NodeSecrets {
  const isOrigin = 'server' in node.settings;
  return Object.fromEntries(
    Object.entries(secrets).filter(
      ([kind]) => isOrigin || node.settings.url !== undefined || isHostSecret(kind as SecretKind),
    ),
  );
}

export interface Addition {
  readonly nodes: ReadonlyArray<NodeToAdd & { readonly secrets: NodeSecrets }>;
  readonly role?: AddRole;
  readonly name: string;
  /** Why the input can't be added. */
  readonly problem?: string;
  /** What is wrong with a field, by its key. */
  readonly faults?: ReadonlyMap<string, string>;
}

/** A server of no known family whose only addresses were cleared. */
const hasNoAddress = (settings: NodeSettings): boolean =>
  'server' in settings &&
  settings.server === 'generic' &&
  [...originAddressKeys, 'turn' as const].every((key) => settings[key] === undefined);

/** What `Add` would add: one node, or NAME and NAME-tester for both. */
export function additionOf(form: AddForm, probe: ProbeView | undefined, taken: readonly string[]): Addition {
  const offer = offerOf(form, probe);
  const role = roleOf(form, probe, offer);
  const name = (form.name ?? probe?.suggestedName ?? '').trim();
  if (!role) return { nodes: [], name };
  const extras = { ...filled(form, hostKeys), ...raisedFlags(form) };
  const testerName = role === 'both' ? `${name}-tester` : name;
  const nodes: NodeToAdd[] = [];
  if (role !== 'tester' && offer.origin)
    nodes.push({
      name,
      settings: { ...withAddresses(offer.origin, form.addresses), ...filled(form, originOnly), ...extras },
    });
  if (role !== 'origin' && offer.tester) nodes.push({ name: testerName, settings: { ...offer.tester, ...extras } });
  const problem = nodes.map((node) => nameProblem(node.name, taken)).find(Boolean);
  if (problem) return { nodes: [], role, name, problem };
  const faults = new Map(
    nodes.flatMap(({ settings }) => addressFaults(settings).map(({ key, sentence }) => [key, sentence])),
  );
  if (faults.size > 0 || nodes.some(({ settings }) => hasNoAddress(settings))) return { nodes: [], role, name, faults };
  const secrets = filledSecrets(form.secrets);
  return { nodes: nodes.map((node) => ({ ...node, secrets: secretsFor(node, secrets) })), role, name };
}
