import { FullhouseError } from '../../../contract/calls';
import type { HostKeyQuestion } from '../../../domain/model/node';
import type { TesterSettings } from '../../../domain/model/nodeSettings';
import { eachOf } from '../../base/eachOf';
import { Emitter } from '../../base/emitter';
import type { RemoteNodeOptions } from '../fleetKit';
import type { GroupMember, GroupReadiness, GroupSource } from './groupSource';
import { hostsOf } from './inventoryHosts';
import { SshMember, type SshMemberOptions } from './sshMember';

export interface SshGroupOptions
  extends
    Pick<RemoteNodeOptions, 'id' | 'secrets' | 'hostKeys' | 'clock'>,
    Pick<SshMemberOptions, 'agentFolder' | 'samplesFolder' | 'version' | 'idleMs'> {}

/** Hosts that are prepared or stopped at once: each upload takes bandwidth of this machine. */
const atOnce = 8;
/** An agent that ended is started again, but not forever. */
const maxRestarts = 3;
const restartMs = 2000;

/** The hosts of a tester group, each with an agent installed over SSH. */
export class SshGroupSource implements GroupSource {
  private members: readonly SshMember[] = [];
  private readonly joined = new Emitter<GroupMember>();
  private readonly lost = new Emitter<{ readonly index: number; readonly reason: string; readonly timeMs: number }>();
  private readonly changed = new Emitter<void>();
  private readonly restarts = new Map<number, number>();
  private fault: FullhouseError | undefined;
  /** Ended agents are only started again while the group is meant to run. */
  private isWanted = false;
  private readonly stopTrusting: () => void;

  constructor(
    private readonly options: SshGroupOptions,
    private readonly settings: TesterSettings,
  ) {
    this.readHosts();
    this.stopTrusting = options.hostKeys.trusted.on(({ host, fingerprint }) => {
      const waiting = this.members.filter(
        ({ hostKey }) => hostKey?.host === host && hostKey.fingerprint === fingerprint,
      );
      for (const member of waiting) void this.prepare(member);
    });
  }

  get readiness(): GroupReadiness {
    const missing = this.members.filter(({ link }) => link === undefined);
    return {
      size: this.members.length,
      ready: this.members.length - missing.length,
      missing: missing.map(({ index, name, reason }) => ({
        index,
        name,
        ...(reason === undefined ? {} : { reason, isFinal: true }),
      })),
    };
  }

  async start(signal: AbortSignal): Promise<void> {
    // The list may have changed, but not below members that run.
    if (this.members.every(({ link }) => link === undefined)) this.readHosts();
    if (this.fault) throw this.fault;
    this.isWanted = true;
    this.restarts.clear();
    const missing = this.members.filter(({ link }) => link === undefined);
    for (const member of missing) member.reason = undefined;
    this.changed.emit();
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([eachOf(missing, atOnce, (member) => this.prepare(member), signal), aborted]);
  }

  async stop(force = false): Promise<void> {
    this.isWanted = false;
    const problems: Error[] = [];
    await eachOf(this.members, atOnce, (member) =>
      member.stop(force).catch((error: unknown) => void problems.push(error as Error)),
    );
    this.changed.emit();
    const [problem] = problems;
    if (problem) throw problem;
  }

  /** Uninstalls the agents of all hosts; resolves with what is left. */
  async uninstall(): Promise<string[]> {
    const leftovers: string[] = [];
    await eachOf(this.members, atOnce, async (member) => void leftovers.push(...(await member.uninstall())));
    return leftovers;
  }

  onMember(listener: (member: GroupMember) => void): () => void {
    return this.joined.on(listener);
  }
  onLost(listener: (index: number, reason: string, timeMs: number) => void): () => void {
    return this.lost.on(({ index, reason, timeMs }) => listener(index, reason, timeMs));
  }
  onReadiness(listener: () => void): () => void {
    return this.changed.on(listener);
  }

  hostKey(): HostKeyQuestion | undefined {
    return this.members.find(({ hostKey }) => hostKey)?.hostKey;
  }

  trust(fingerprint: string): void {
    const { hostKey } = this.members.find((member) => member.hostKey?.fingerprint === fingerprint) ?? {};
    this.options.hostKeys.answer(hostKey, fingerprint);
  }

  close(): Promise<void> {
    this.isWanted = false;
    this.stopTrusting();
    for (const member of this.members) member.close();
    return Promise.resolve();
  }

  /** Never rejects: a member has the reason. */
  private async prepare(member: SshMember): Promise<void> {
    await member.prepare();
    const { link, index, name, capacity } = member;
    if (link && !this.isWanted) member.close();
    else if (link) this.joined.emit({ index, name, link, ...(capacity === undefined ? {} : { weight: capacity }) });
    this.changed.emit();
  }

  private ended(member: SshMember, reason: string): void {
    this.lost.emit({ index: member.index, reason, timeMs: this.options.clock.now() });
    this.changed.emit();
    const before = this.restarts.get(member.index) ?? 0;
    if (!this.isWanted || before >= maxRestarts) return;
    this.restarts.set(member.index, before + 1);
    this.options.clock.after(restartMs, () => {
      if (this.isWanted) void this.prepare(member);
    });
  }

  private readHosts(): void {
    const { id, clock, agentFolder, samplesFolder, version, idleMs, secrets, hostKeys } = this.options;
    const { keyFile, jump, user, weights } = this.settings;
    try {
      const hosts = hostsOf(this.settings);
      this.fault = undefined;
      for (const member of this.members) member.close();
      this.members = hosts.map((host, index): SshMember => {
        const member: SshMember = new SshMember(
          index,
          user === undefined || host.includes('@') ? host : `${user}@${host}`,
          {
            ...{ clock, agentFolder, samplesFolder, version, idleMs, keyFile, jump },
            isMeasured: weights === 'measured',
            ssh: { secret: (kind) => secrets()[kind], secretsOf: id, hostKeys, sshFolder: hostKeys.sshFolder },
          },
          (reason) => this.ended(member, reason),
        );
        return member;
      });
    } catch (error) {
      if (!(error instanceof FullhouseError)) throw error;
      this.fault = error;
    }
  }
}
