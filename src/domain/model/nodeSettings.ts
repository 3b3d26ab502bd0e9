import type { StreamAddressKey } from './addressKeys';
import type { KubernetesSettings } from './kubernetesSettings';
import type { ServerFamily } from './serverFamilies';

/**
 * How a tester generates its load: an agent on this machine, an agent deployed over SSH, WCS's own pull, or agents in
 * the pods of a cluster.
 */
export const testerKinds = ['local', 'ssh', 'wcs', 'kubernetes'] as const;
export type TesterKind = (typeof testerKinds)[number];

interface SecretRow {
  /** Of its field in forms. */
  readonly label: string;
}
interface ApiSecretRow extends SecretRow {
  /** Whether the form of a server of this family has it. */
  readonly isOfServer: (family: ServerFamily) => boolean;
  /** Testers whose form has it. */
  readonly testers: readonly TesterKind[];
  /** What a probe asks for, if the server requires it. */
  readonly need: (software: string) => string;
}

/** Secrets for SSH, of each node that has a host. */
const hostSecrets = {
  sshPassword: { label: 'SSH password' },
  sshPassphrase: { label: 'Key passphrase' },
} as const satisfies Readonly<Record<string, SecretRow>>;

/** Secrets for the API of a server. */
export const apiSecrets = {
  httpPassword: {
    label: 'Password',
    isOfServer: (family) => family !== 'livekit' && family !== 'lab',
    testers: ['wcs'],
    need: (software) => `Password of ${software}'s API`,
  },
  apiSecret: {
    label: 'API secret',
    isOfServer: (family) => family === 'livekit',
    testers: [],
    need: (software) => `API secret of ${software}`,
  },
} as const satisfies Readonly<Record<string, ApiSecretRow>>;

/**
 * The kinds of secrets, in the order of forms and docs. Plan fields, forms, calls, the keychain, variables of the command
 * line, saved formats, consent, redaction, masking and docs derive from these rows.
 */
export const secretRows = { ...hostSecrets, ...apiSecrets };
export type HostSecretKind = keyof typeof hostSecrets;
export type ApiSecretKind = keyof typeof apiSecrets;
export type SecretKind = HostSecretKind | ApiSecretKind;
export const secretKinds = Object.keys(secretRows) as readonly SecretKind[];

/** A value for each kind of secret. */
export const perSecretKind = <T>(valueOf: (kind: SecretKind) => T): Readonly<Record<SecretKind, T>> =>
  Object.fromEntries(secretKinds.map((kind) => [kind, valueOf(kind)])) as Record<SecretKind, T>;

/** Stored in the system's keychain by the node's name, never with the settings. */
export type NodeSecrets = Readonly<Partial<Record<SecretKind, string>>>;

/**
 * Connection settings of a node: the same in the window, in a plan's YAML and in the fleet's file. They contain no
 * secrets; secrets are stored by the node's name (`NodeSecrets`), or referenced: any text may contain `$env:NAME` and
 * `$secret:NAME`.
 */
export type NodeSettings = OriginSettings | TesterSettings;

/** Secrets that the settings only reference. */
export type SecretFields = Readonly<Partial<Record<SecretKind, string>>>;

/** Settings of any node. */
export interface HostSettings extends SecretFields {
  /** `user@host`, `host:port` or a name of ~/.ssh/config: source of host telemetry. */
  readonly ssh?: string;
  /** Private key; if absent the SSH agent and the default keys are tried. */
  readonly keyFile?: string;
  /** Jump hosts as in `ssh -J`: `user@host:port`, several separated by commas. */
  readonly jump?: string;
  /** Address of a node_exporter, used without SSH. */
  readonly nodeExporter?: string;
  /** Address of a Prometheus that scrapes this host, used without both; `instance` is its label. */
  readonly prometheus?: string;
  readonly instance?: string;
  /** Name of the media server's process, e.g. `srs`; adapters have a default. */
  readonly process?: string;
  /** A JVM's GC log on the host, followed over SSH. */
  readonly gcLog?: string;
  /** Location of its server's configuration, if not the default: WCS's conf folder, else the main file. */
  readonly config?: string;
  /** HTTP proxy for its addresses of HTTP and WebSocket, or `none`; by default that of the variables. */
  readonly proxy?: string;
  /** The server's certificate is not checked. */
  readonly selfSigned?: boolean;
  /** Its servers may redirect, or refer WHIP and WHEP sessions, to another origin (scheme, host, port). */
  readonly allowCrossOrigin?: boolean;
}

/** Addresses of streams, which contain `{stream}` as the placeholder for the stream's name. */
type AddressSettings = Readonly<Partial<Record<StreamAddressKey, string>>>;

/** A server under test; `protocols.ts` has the addresses of its streams. */
export interface OriginSettings extends HostSettings, AddressSettings {
  readonly server: ServerFamily;
  /** Address of its API; for nginx-rtmp of its stat page. */
  readonly url?: string;
  /** For WCS: its WebSocket address, if not the default port 8080 (8443 for wss). */
  readonly ws?: string;
  /** The server's own Prometheus endpoint, e.g. LiveKit's or SRS's exporter. */
  readonly metrics?: string;
  /** nginx-rtmp's control module, if not next to the stat page. */
  readonly control?: string;
  /** For the server `file`: the name of a family among those of this console, or the path of its file. */
  readonly familyFile?: string;
  /** For HTTP basic; the password is a secret. */
  readonly user?: string;
  /** LiveKit's API key; its API secret is stored as a secret. */
  readonly apiKey?: string;
  /** PromQL by series, queried at `prometheus`; for servers of no known family. */
  readonly queries?: Readonly<Record<string, string>>;
}

/** How a tester group splits viewers over its members: evenly, or by their measured capacity. */
export const memberWeights = ['equal', 'measured'] as const;
export type MemberWeights = (typeof memberWeights)[number];

/** Bounds of a tester group. */
export const maxMembers = 500;

/** Settings of tester groups; `HostSettings` apply to each member. */
export interface GroupSettings {
  /** SSH addresses of the members. */
  readonly hosts?: readonly string[];
  /** A file of this machine that lists them; `#NAME` at its end is a group of an Ansible inventory. */
  readonly inventory?: string;
  /** For hosts without a user of their own. */
  readonly user?: string;
  /** A run starts with this many ready members; by default with all. */
  readonly atLeast?: number;
  /** Default `equal`. */
  readonly weights?: MemberWeights;
}

/** A load generator, or a group of them. */
export interface TesterSettings extends HostSettings, GroupSettings, KubernetesSettings {
  readonly tester: TesterKind;
  /** For `wcs`: address of its REST API. */
  readonly url?: string;
}

/** Settings that are "true" when enabled and absent otherwise. */
export const nodeFlags = ['selfSigned', 'allowCrossOrigin'] as const satisfies ReadonlyArray<keyof HostSettings>;
export type NodeFlag = (typeof nodeFlags)[number];

/** Settings that define how a node is reached, besides flags and secrets: a probe needs them too. */
export const reachKeys = ['keyFile', 'jump', 'user', 'apiKey', 'proxy'] as const satisfies ReadonlyArray<
  keyof OriginSettings
>;
export type ReachSettings = Pick<OriginSettings, (typeof reachKeys)[number] | NodeFlag>;

/** The value of `proxy` by which none is used, whatever the variables are. */
export const noProxy = 'none';

/** Whether the settings are those of a tester group. */
export function isGroup(settings: NodeSettings): boolean {
  return (
    'tester' in settings &&
    (settings.tester === 'kubernetes' || settings.hosts !== undefined || settings.inventory !== undefined)
  );
}

export function isOriginSettings(settings: NodeSettings): settings is OriginSettings {
  return 'server' in settings;
}

/** Whether a node of this kind may need the secret. */
export function mayHaveSecret(settings: NodeSettings, kind: SecretKind): boolean {
  if (isHostSecret(kind)) return isOriginSettings(settings) || settings.tester !== 'kubernetes';
  const { isOfServer, testers }: ApiSecretRow = apiSecrets[kind];
  return isOriginSettings(settings) ? isOfServer(settings.server) : testers.includes(settings.tester);
}

export const isHostSecret = (kind: SecretKind): kind is HostSecretKind => kind in hostSecrets;
