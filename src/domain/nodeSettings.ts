/** Families of servers that an adapter exists for. `livekit` is OpenVidu 3 too; `openvidu` is OpenVidu 2. */
export const serverFamilies = ['lab', 'wcs', 'srs', 'nginx-rtmp', 'livekit', 'openvidu', 'generic'] as const;
export type ServerFamily = (typeof serverFamilies)[number];

/** How a tester makes its audience: an agent of this machine, an agent brought there over SSH, or WCS's own pull. */
export const testerKinds = ['local', 'ssh', 'wcs'] as const;
export type TesterKind = (typeof testerKinds)[number];

export const secretKinds = ['sshPassword', 'sshPassphrase', 'httpPassword', 'apiSecret'] as const;
export type SecretKind = (typeof secretKinds)[number];
/** Kept in the system's keychain by the node's name, never with the settings. */
export type NodeSecrets = Readonly<Partial<Record<SecretKind, string>>>;

/**
 * How a node is reached and read: the same in the window, in a plan's YAML and in the fleet's file. It holds no secret;
 * secrets are kept by the node's name (`NodeSecrets`), or are named: any text may hold `$env:NAME` and `$secret:NAME`.
 */
export type NodeSettings = OriginSettings | TesterSettings;

/** Secrets of which the settings hold a reference, never the secret itself. */
export type SecretFields = Readonly<Partial<Record<SecretKind, string>>>;

/** What every node may have. */
export interface HostSettings extends SecretFields {
  /** `user@host`, `host:port` or a name of ~/.ssh/config: telemetry of the host is read there. */
  readonly ssh?: string;
  /** Private key; without one the SSH agent and the usual keys are tried. */
  readonly keyFile?: string;
  /** Jump hosts as in `ssh -J`: `user@host:port`, several with commas. */
  readonly jump?: string;
  /** Address of a node_exporter, used when there is no SSH. */
  readonly nodeExporter?: string;
  /** Address of a Prometheus that scrapes this host, used when there is neither; `instance` is its label. */
  readonly prometheus?: string;
  readonly instance?: string;
  /** Name of the media server's own process, e.g. `srs`; adapters know the usual one. */
  readonly process?: string;
  /** A JVM's GC log on the host, followed over SSH. */
  readonly gcLog?: string;
  /** Where its server's configuration lies, when it is not the product's usual place: WCS's conf folder, else the main file. */
  readonly config?: string;
  /** The server's certificate is not checked. */
  readonly selfSigned?: boolean;
  /** Its servers may redirect, or name WHIP and WHEP sessions, at another origin (scheme, host, port) than their address. */
  readonly allowCrossOrigin?: boolean;
}

/** A server under test. Addresses of streams hold `{stream}` where the stream's name belongs. */
export interface OriginSettings extends HostSettings {
  readonly server: ServerFamily;
  /** Address of its API; for nginx-rtmp that of its stat page. */
  readonly url?: string;
  readonly whep?: string;
  readonly whip?: string;
  readonly rtmp?: string;
  readonly hls?: string;
  readonly flv?: string;
  /** For WCS: its WebSocket address, where it is not the usual port 8080 (8443 for wss). */
  readonly ws?: string;
  /** The server's own Prometheus endpoint, e.g. LiveKit's or SRS's exporter. */
  readonly metrics?: string;
  /** nginx-rtmp's control module, where it is not beside the stat page. */
  readonly control?: string;
  /** For HTTP basic; the password is a secret. */
  readonly user?: string;
  /** LiveKit's API key; its secret is one. */
  readonly apiKey?: string;
  /** PromQL by series, asked at `prometheus`; for servers of no known family. */
  readonly queries?: Readonly<Record<string, string>>;
}

/** A machine that plays the audience. */
export interface TesterSettings extends HostSettings {
  readonly tester: TesterKind;
  /** For `wcs`: address of its REST API. */
  readonly url?: string;
}

/** Settings that are switched on by "true" and absent otherwise. */
export const nodeFlags = ['selfSigned', 'allowCrossOrigin'] as const satisfies ReadonlyArray<
  keyof HostSettings
>;
export type NodeFlag = (typeof nodeFlags)[number];

export function isOriginSettings(settings: NodeSettings): settings is OriginSettings {
  return 'server' in settings;
}
