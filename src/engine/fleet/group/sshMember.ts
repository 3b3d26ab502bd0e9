import { FullhouseError } from '../../../contract/calls';
import type { HostKeyQuestion } from '../../../domain/model/node';
import type { SelfTest } from '../../../domain/model/testerMeasured';
import { testerCapacity } from '../../../domain/tester/viewerLimit';
import type { Clock } from '../../base/clock';
import type { AgentLink } from '../../links/agentLink';
import { ensureRemoteAgent, endOfRemoteAgent, removeRemoteAgent, stopRemoteAgent } from '../../links/remoteAgent';
import { agentEndMessage } from '../../links/remoteAgentFaults';
import { openSshLink } from '../../links/ssh/openSshLink';
import type { SshLink, SshOptions } from '../../links/ssh/sshLink';
import { openAgentLink } from '../../links/webSocketLink';
import { machineOf } from '../agentValues';
import { selfTestArguments, selfTestMs, selfTestOf } from '../selfTest';

export interface SshMemberOptions {
  readonly agentFolder: string;
  readonly samplesFolder: string;
  readonly version: string;
  readonly clock: Clock;
  readonly ssh: Pick<SshOptions, 'secret' | 'secretsOf' | 'hostKeys' | 'sshFolder'>;
  readonly keyFile: string | undefined;
  readonly jump: string | undefined;
  /** The self-test of the machine decides its share. */
  readonly isMeasured: boolean;
  /** Without a console for this long the agent has disconnected its viewers. */
  readonly idleMs: () => number;
}

/** How often a member without a link is checked for its end. */
const checkMs = 2000;
/** After its idle time, for the orderly disconnect. */
const disconnectMs = 10_000;

/** One host of a group over SSH: its link, and its agent. */
export class SshMember {
  link: AgentLink | undefined;
  /** Viewers that its machine can run, by its self-test. */
  capacity: number | undefined;
  /** Why it isn't ready, one sentence without its name. */
  reason: string | undefined;
  hostKey: HostKeyQuestion | undefined;
  /** Its sentences about limitations of the machine. */
  warnings: readonly string[] = [];
  private ssh: SshLink | undefined;
  private selfTest: SelfTest | undefined;
  private cancelCheck: (() => void) | undefined;

  constructor(
    readonly index: number,
    /** As in the settings, with the user. */
    readonly address: string,
    private readonly options: SshMemberOptions,
    private readonly ended: (reason: string) => void,
  ) {}

  /** For sentences: its host. */
  get name(): string {
    return this.address.replace(/^.*@/, '');
  }

  /** Connects, uploads the agent if needed, and starts it. Sets `reason` if that fails. */
  async prepare(): Promise<void> {
    if (this.link) return;
    this.reason = undefined;
    this.hostKey = undefined;
    try {
      await this.start();
    } catch (error) {
      this.reason = (error as Error).message.replace(`${this.name}: `, '');
      if (error instanceof FullhouseError && error.code.startsWith('host-key'))
        this.hostKey = error.cause as HostKeyQuestion;
      if (!this.link) this.disconnect();
    }
  }

  async stop(force: boolean): Promise<void> {
    const { link, name } = this;
    this.detach();
    if (!link) return this.disconnect();
    const isAsked = !force && (await link.request('shutdown', {}, 15_000).then(...answered));
    link.close();
    try {
      if (!isAsked) await stopRemoteAgent(await this.connect(), name);
    } finally {
      this.disconnect();
    }
  }

  /** Uninstalls the agent; resolves with what is left, each with the name of the host. */
  async uninstall(): Promise<string[]> {
    try {
      const leftovers = await removeRemoteAgent(await this.connect(), this.name);
      return leftovers.map((sentence) => `${this.name}: ${sentence}`);
    } catch (error) {
      return [(error as Error).message];
    } finally {
      this.disconnect();
    }
  }

  /** Closes its links; the agent stays. */
  close(): void {
    const { link } = this;
    this.detach();
    link?.close();
    this.disconnect();
  }

  private async start(): Promise<void> {
    const { name, options } = this;
    const { agentFolder, samplesFolder, version } = options;
    const ssh = await this.connect();
    const agent = await ensureRemoteAgent(ssh, { who: name, agentFolder, samplesFolder });
    this.warnings = agent.warnings;
    if (options.isMeasured) this.selfTest ??= await selfTestOn(ssh, agent.program, options.clock.now());
    const link = await openAgentLink({
      address: () => `${agent.address.host}:${agent.address.port}`,
      token: agent.token,
      ranBefore: agent.ranBefore,
      tunnel: () => ssh.connect(agent.address.host, agent.address.port),
      who: `The agent on ${name}`,
      version,
      clock: options.clock,
    });
    this.link = link;
    const { hello } = link;
    if (this.selfTest)
      this.capacity = testerCapacity(
        {
          machine: { ...machineOf(hello), versions: {} },
          viewerLimit: hello.limits.viewers,
          measured: { costs: [], selfTest: this.selfTest },
        },
        'whep',
      )?.viewers;
    link.onState((state) => {
      if (this.link !== link) return;
      if (state === 'closed') this.end(`${name}: another agent runs there now`);
      else if (state === 'lost') this.checkLater(link, options.clock.now());
      else this.cancelCheck?.();
    });
  }

  private async connect(): Promise<SshLink> {
    const { name, address, options } = this;
    if (this.ssh && this.ssh.state !== 'closed') return this.ssh;
    const { keyFile, jump } = options;
    this.ssh = await openSshLink({
      ...options.ssh,
      who: name,
      target: { address, keyFile, jump },
      clock: options.clock,
    });
    return this.ssh;
  }

  /** A lost link reconnects by itself, unless the agent has ended. */
  private checkLater(link: AgentLink, sinceMs: number): void {
    const { clock, idleMs } = this.options;
    this.cancelCheck?.();
    this.cancelCheck = clock.after(checkMs, () => {
      void this.endOf(link, sinceMs + idleMs() + disconnectMs).then((reason) => {
        if (this.link !== link || link.state !== 'lost') return;
        if (reason === undefined) this.checkLater(link, sinceMs);
        else this.end(reason);
      });
    });
  }

  /** Why its viewers are gone; undefined while they may still be there. */
  private async endOf(link: AgentLink, untilMs: number): Promise<string | undefined> {
    const { name, ssh } = this;
    if (this.options.clock.now() > untilMs)
      return `${name} could not be reached for longer than its idle time, after which it disconnects its viewers`;
    if (ssh?.state !== 'live' || link.state !== 'lost') return undefined;
    const end = await endOfRemoteAgent(ssh, name).catch(() => undefined); // SSH is lost as well; retried later
    return end && agentEndMessage(name, end).replace(/\.$/, '');
  }

  private end(reason: string): void {
    const { link } = this;
    this.detach();
    link?.close();
    this.reason = reason.replace(`${this.name}: `, '');
    this.ended(reason);
  }

  private detach(): void {
    this.cancelCheck?.();
    this.cancelCheck = undefined;
    this.link = undefined;
  }

  private disconnect(): void {
    this.ssh?.close();
    this.ssh = undefined;
  }
}

const answered = [() => true, () => false] as const;

/** Undefined where it fails: the member then has the share of an average one. */
async function selfTestOn(ssh: SshLink, program: string, nowMs: number): Promise<SelfTest | undefined> {
  const { code, stdout } = await ssh.run([program, ...selfTestArguments], { timeoutMs: 5 * selfTestMs });
  return code === 0 ? selfTestOf(stdout, nowMs) : undefined;
}
