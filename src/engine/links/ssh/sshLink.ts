import type { Duplex } from 'node:stream';
import type { HostKeyQuestion } from '../../../domain/node';

/** Where and how to reach a host, in the words of the node's settings. */
export interface SshTarget {
  /** `user@host`, `host:port`, `user@[v6]:port` or a name of the ssh config. */
  readonly address: string;
  readonly keyFile?: string;
  /** As in `ssh -J`; overrides the config's ProxyJump. */
  readonly jump?: string;
}

export interface SshOptions {
  /** For sentences: the node's name. */
  readonly who: string;
  readonly target: SshTarget;
  /** Asked when they are needed, at every attempt. */
  readonly secret: (kind: 'sshPassword' | 'sshPassphrase') => string | undefined;
  readonly hostKeys: HostKeys;
  /** Default: `~/.ssh`; its `config`, `known_hosts` and usual keys are used as ssh does. */
  readonly sshFolder?: string;
  /** Default: the SSH_AUTH_SOCK of the environment. */
  readonly agentSocket?: string;
  readonly connectTimeoutMs?: number;
  /** Default 5,000 ms; three unanswered ones and the link is lost. */
  readonly keepaliveMs?: number;
}

/** Which host keys are trusted: known_hosts files and the app's own store, in OpenSSH's format. */
export interface HostKeys {
  /**
   * Undefined: this key is known for this host. `files` stand in for the usual known_hosts files (UserKnownHostsFile of the
   * ssh config). A key marked as revoked is `changed`, and the known fingerprint is its own.
   */
  question(host: string, port: number, key: Buffer, files?: readonly string[]): HostKeyQuestion | undefined;
  /** Types of the keys that are known for this host, e.g. `ssh-ed25519`: those are asked for first, as ssh does. */
  knownTypes(host: string, port: number, files?: readonly string[]): string[];
  /** Keeps a key in the app's own store; one that was kept there before for this host is replaced. */
  trust(host: string, port: number, key: Buffer): void;
}

export type SshState = 'connecting' | 'live' | 'lost' | 'closed';

export interface SshResult {
  readonly code: number | null;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that goes on until it is ended. */
export interface SshCommand {
  /** To its standard input. */
  write(text: string): void;
  /** Closes its standard input, then its channel. */
  end(): void;
  /** Resolves when it is over, whoever ended it; never rejects. */
  readonly ended: Promise<SshResult>;
}

/**
 * One SSH connection to a host, which mends itself (backoff 0.5 s to 15 s) until it is closed. Rejections are `FullhouseError`s
 * with one sentence that names the hop that failed and what to do. Codes: `host-key-unknown`, `host-key-changed` (the error's
 * `cause` is the `HostKeyQuestion`), `auth` (says what was tried), `key-passphrase`, `no-such-host`, `refused`, `unreachable`,
 * `timeout`, `ssh-config`, `link-lost`, `too-long`. After `host-key-*`, `auth` and `key-passphrase` it does not try again by itself.
 */
export interface SshLink {
  readonly state: SshState;
  /** user, host and port as resolved through the config. */
  readonly remote: { readonly user: string; readonly host: string; readonly port: number };
  /** How it got in, e.g. `key ~/.ssh/id_ed25519`, `agent`, `password`. */
  readonly authenticatedBy: string | undefined;
  /** Why it is lost or was refused last. */
  readonly problem: Error | undefined;
  /** Runs one program; every word of `argv` arrives as it is, whatever characters it has. */
  run(
    argv: readonly string[],
    options?: {
      readonly input?: string | Buffer;
      readonly timeoutMs?: number;
      readonly mostBytes?: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<SshResult>;
  /** Runs a program whose output is taken line by line. */
  follow(
    argv: readonly string[],
    listeners: { readonly line: (line: string) => void; readonly errorLine?: (line: string) => void },
  ): Promise<SshCommand>;
  /** A connection from the host to an address that it can reach, e.g. its own loopback. */
  connect(host: string, port: number): Promise<Duplex>;
  /** Writes a file, complete or not at all; its folder must exist. */
  upload(localPath: string, remotePath: string, mode: number): Promise<void>;
  onState(listener: (state: SshState, problem?: Error) => void): () => void;
  /** Tries again at once, also after a refusal. */
  reconnect(): void;
  close(): void;
}

/** Connects; rejects when the first attempt fails, and then nothing goes on. */
export type OpenSshLink = (options: SshOptions) => Promise<SshLink>;
