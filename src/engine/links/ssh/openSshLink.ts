import type { Duplex } from 'node:stream';
import { FullhouseError } from '../../../contract/calls';
import { systemClock, type Cancel, type Clock } from '../../base/clock';
import { Emitter } from '../../base/emitter';
import { log } from '../../base/log';
import { hostAndPort } from './address';
import type { SshRoute } from './dial';
import { forwardFailure } from './failures';
import type { CommandContext, OpenCommand } from './remoteCommand';
import { followCommand, runCommand, type RunOptions } from './runCommand';
import { resolveRoute } from './sshConfig';
import type { OpenSshLink, SshCommand, SshLink, SshOptions, SshResult, SshState } from './sshLink';
import { uploadFile } from './upload';

export { openHostKeys } from './hostKeys';

/** Connects; rejects when the first attempt fails, without further attempts. */
export const openSshLink: OpenSshLink = async (options) => {
  const link = new ReconnectingSshLink(options, options.clock ?? systemClock);
  await link.open();
  return link;
};

const firstBackoffMs = 500;
const maxBackoffMs = 15_000;
/** Connections at once to a port that a host forwards here: more than a page opens. */
const maxForwarded = 32;
/** Another attempt would be refused again, and may count as an attack. */
const needsUser = new Set([
  'host-key-unknown',
  'host-key-changed',
  'auth',
  'key-passphrase',
  'ssh-config',
  'bad-address',
]);

class ReconnectingSshLink implements SshLink {
  state: SshState = 'connecting';
  problem: Error | undefined;
  remote: SshLink['remote'] = { user: '', host: '', port: 22 };
  private dialled: SshRoute | undefined;
  private dialling = false;
  private attempts = 0;
  private cancelAttempt: Cancel = () => undefined;
  private readonly running = new Set<OpenCommand>();
  private readonly streams = new Set<Duplex>();
  private readonly states = new Emitter<{ state: SshState; problem: Error | undefined }>();

  constructor(
    private readonly options: SshOptions,
    private readonly clock: Clock,
  ) {}

  get authenticatedBy(): string | undefined {
    return this.dialled?.authenticatedBy;
  }

  async open(): Promise<void> {
    try {
      await this.dial();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  onState(listener: (state: SshState, problem?: Error) => void): () => void {
    return this.states.on(({ state, problem }) => listener(state, problem));
  }

  async run(
    argv: readonly string[],
    options: Omit<RunOptions, 'input'> & { input?: string | Buffer } = {},
  ): Promise<SshResult> {
    return runCommand(this.place(), argv, options);
  }

  async follow(argv: readonly string[], listeners: Parameters<SshLink['follow']>[1]): Promise<SshCommand> {
    return followCommand(this.place(), argv, listeners);
  }

  async connect(host: string, port: number): Promise<Duplex> {
    const { ssh } = this.live();
    const stream = await ssh.forwardOut('127.0.0.1', 0, host, port).catch((error: Error) => {
      throw forwardFailure(this.options.who, hostAndPort(host, port), 'its host', error);
    });
    return this.watched(stream);
  }

  async listen(onConnection: (stream: Duplex) => void): Promise<{ readonly port: number; readonly close: () => void }> {
    const { ssh } = this.live();
    let open = 0;
    const forward = await ssh
      .forwardIn('127.0.0.1', 0, (_, accept, reject) => {
        // Every user of the host can connect there.
        if (open >= maxForwarded) return reject?.();
        open += 1;
        const stream = this.watched(accept());
        stream.once('close', () => (open -= 1));
        onConnection(stream);
      })
      .catch(() => {
        throw new FullhouseError(
          'forwarding-refused',
          `${this.options.who}: its sshd does not forward ports to this machine (AllowTcpForwarding in its sshd_config).`,
        );
      });
    // Its end is the link's too, which is reported as such.
    return { port: forward.port, close: () => void forward.dispose().catch(() => undefined) };
  }

  /** Ends with the link. */
  private watched<Stream extends Duplex>(stream: Stream): Stream {
    this.streams.add(stream);
    stream.on('close', () => this.streams.delete(stream));
    return stream;
  }

  async upload(localPath: string, remotePath: string, mode: number): Promise<void> {
    const { who } = this.options;
    const run = (argv: readonly string[], options: RunOptions): Promise<SshResult> =>
      runCommand(this.place(), argv, options);
    await uploadFile({ who, run }, localPath, remotePath, mode);
  }

  reconnect(): void {
    if (this.state === 'closed' || this.state === 'live' || this.dialling) return;
    this.cancelAttempt();
    this.attempts = 0;
    this.change('connecting', this.problem);
    this.restoreConnection();
  }

  close(): void {
    if (this.state === 'closed') return;
    this.cancelAttempt();
    const { dialled } = this;
    this.dialled = undefined;
    this.change('closed', this.problem);
    this.abandonAll();
    dialled?.close();
  }

  private live(): SshRoute {
    if (this.dialled) return this.dialled;
    const { who } = this.options;
    throw this.state === 'closed'
      ? new FullhouseError('link-lost', `The SSH connection to ${who} was closed.`)
      : new FullhouseError('link-lost', this.problem?.message ?? `${who} is not connected over SSH now.`);
  }

  private place(): CommandContext {
    const dialled = this.live();
    return {
      client: dialled.client,
      who: this.options.who,
      serverVersion: dialled.serverVersion,
      running: this.running,
      isLive: () => this.dialled === dialled,
      clock: this.clock,
    };
  }

  /** One attempt. Config and secrets are read again each time: they may have been fixed. */
  private async dial(): Promise<void> {
    this.dialling = true;
    try {
      const route = resolveRoute(this.options);
      const target = route.at(-1);
      if (target) this.remote = { user: target.user, host: target.host, port: target.port };
      // The SSH library takes longer to load than the rest of the engine's start; many consoles never need it.
      const { dial } = await import('./dial');
      const dialled = await dial(this.options, route);
      if (this.state === 'closed') {
        dialled.close();
        throw new FullhouseError('link-lost', `The SSH connection to ${this.options.who} was closed.`);
      }
      this.dialled = dialled;
      dialled.onLost((error) => this.lost(dialled, error));
      this.attempts = 0;
      this.change('live', undefined);
    } finally {
      this.dialling = false;
    }
  }

  private lost(dialled: SshRoute, error: Error): void {
    if (dialled !== this.dialled) return;
    this.dialled = undefined;
    dialled.close();
    this.abandonAll();
    this.change('lost', error);
    this.reconnectLater();
  }

  private reconnectLater(): void {
    const maxMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** this.attempts);
    this.attempts += 1;
    log.debug(`SSH to ${this.options.who}: attempt ${this.attempts} to reconnect within ${maxMs} ms.`);
    // Many nodes behind one jump host would otherwise all reconnect at the same time.
    const waitMs = maxMs * (0.7 + 0.3 * Math.random());
    this.cancelAttempt = this.clock.after(waitMs, () => this.restoreConnection());
  }

  private restoreConnection(): void {
    this.dial().catch((error: unknown) => {
      if (this.state === 'closed') return;
      const problem = error instanceof Error ? error : new Error(String(error));
      this.change('lost', problem);
      if (!(problem instanceof FullhouseError && needsUser.has(problem.code))) this.reconnectLater();
    });
  }

  private abandonAll(): void {
    for (const command of this.running) command.abandon();
    this.running.clear();
    for (const stream of this.streams) {
      stream.push(null);
      stream.destroy();
      stream.emit('close');
    }
    this.streams.clear();
  }

  private change(state: SshState, problem: Error | undefined): void {
    if (state !== this.state || problem?.message !== this.problem?.message)
      log.debug(`SSH to ${this.options.who}: ${state}${problem ? `, ${problem.message}` : '.'}`);
    this.state = state;
    this.problem = problem;
    this.states.emit({ state, problem });
  }
}
