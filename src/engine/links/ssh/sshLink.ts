import type { Duplex } from 'node:stream';
import type { HostKeyQuestion } from '../../../domain/model/node';
import type { HostSecretKind } from '../../../domain/model/nodeSettings';
import type { Clock } from '../../base/clock';

/** How to reach a host, as in the node's settings. */
export interface SshTarget {
  /** `user@host`, `host:port`, `user@[v6]:port` or a name of the ssh config. */
  readonly address: string;
  readonly keyFile?: string;
  /** As in `ssh -J`; overrides the config's ProxyJump. */
  readonly jump?: string;
}

export interface SshOptions {
  /** For messages: the node's name. */
  readonly who: string;
  readonly target: SshTarget;
  /** The node whose secrets are used, for messages; default `who`. */
  readonly secretsOf?: string;
  /** Read when needed, at every attempt. */
  readonly secret: (kind: HostSecretKind) => string | undefined;
  readonly hostKeys: HostKeys;
  /** Default: `~/.ssh`; its `config`, `known_hosts` and usual keys are used as ssh does. */
  readonly sshFolder?: string;
  /** Default: the SSH_AUTH_SOCK of the environment. */
  readonly agentSocket?: string;
  readonly connectTimeoutMs?: number;
  /** Default 5,000 ms; after three without a response the link is lost. */
  readonly keepaliveMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The trusted host keys: known_hosts files and the app's own store, in OpenSSH's format. */
export interface HostKeys {
  /**
   * Undefined: this key is known for this host. `files` replace the usual known_hosts files (UserKnownHostsFile of the
   * ssh config). A key marked as revoked is `changed`, and the known fingerprint is its own.
   */
  question(host: string, port: number, key: Buffer, files?: readonly string[]): HostKeyQuestion | undefined;
  /** Types of the known keys of this host, e.g. `ssh-ed25519`: requested first, as ssh does. */
  knownTypes(host: string, port: number, files?: readonly string[]): string[];
  /** Saves a key in the app's own store; replaces an earlier one of this host. */
  trust(host: string, port: number, key: Buffer): void;
}

export type SshState = 'connecting' | 'live' | 'lost' | 'closed';

export interface SshResult {
  readonly code: number | null;
  readonly signal?: string;
  /** Of a followed command: why the host's shell did not start it, as a sentence with the node's name. */
  readonly notStarted?: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs until it is ended. */
export interface SshCommand {
  /** Writes to its standard input. */
  write(text: string): void;
  /** Closes its standard input, then its channel. */
  end(): void;
  /** Resolves when it has ended for any reason; never rejects. */
  readonly ended: Promise<SshResult>;
}

/**
 * One SSH connection to a host, which reconnects (backoff 0.5 s to 15 s) until it is closed. Rejections are
 * `FullhouseError`s with one sentence that names the failed hop and what to do. Codes: `host-key-unknown`,
 * `host-key-changed` (the error's
 * `cause` is the `HostKeyQuestion`), `auth` (lists what was tried), `key-passphrase`, `no-such-host`, `refused`,
 * `unreachable`,
 * `timeout`, `no-algorithm`, `ssh-config`, `link-lost`, `windows`, `too-long`. After `host-key-*`, `auth` and `key-passphrase` it does not retry
 * automatically.
 */
export interface SshLink {
  readonly state: SshState;
  /** user, host and port as resolved through the config. */
  readonly remote: { readonly user: string; readonly host: string; readonly port: number };
  /** Method of the login, e.g. `key ~/.ssh/id_ed25519`, `agent`, `password`. */
  readonly authenticatedBy: string | undefined;
  /** Why it is lost or was last refused. */
  readonly problem: Error | undefined;
  /** Runs one program; every word of `argv` is passed on unchanged. */
  run(
    argv: readonly string[],
    options?: {
      readonly input?: string | Buffer;
      readonly timeoutMs?: number;
      readonly maxBytes?: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<SshResult>;
  /** Runs a program whose output is read line by line. */
  follow(
    argv: readonly string[],
    listeners: { readonly line: (line: string) => void; readonly errorLine?: (line: string) => void },
  ): Promise<SshCommand>;
  /** A connection from the host to an address it can reach, e.g. its own loopback. */
  connect(host: string, port: number): Promise<Duplex>;
  /**
   * Listens on a free port of the host's loopback, and passes on each connection to it, until the function is called or
   * the link is lost.
   */
  listen(onConnection: (stream: Duplex) => void): Promise<{ readonly port: number; readonly close: () => void }>;
  /** Writes a file, completely or not at all; its folder must exist. */
  upload(localPath: string, remotePath: string, mode: number): Promise<void>;
  onState(listener: (state: SshState, problem?: Error) => void): () => void;
  /** Retries at once, also after a refusal. */
  reconnect(): void;
  close(): void;
}

/** Connects; rejects when the first attempt fails, without further attempts. */
export type OpenSshLink = (options: SshOptions) => Promise<SshLink>;
