import { randomBytes } from 'node:crypto';
import type { MachineFingerprint, NodeState, NodeView } from '../../../domain/model/node';
import type { NodeSettings } from '../../../domain/model/nodeSettings';
import { readinessText } from '../../../domain/node/groupText';
import { FigureSources } from '../../../domain/node/figureSources';
import { figureSourceNames } from '../../../domain/series/series';
import type { ProgramShare } from '../../../domain/model/otherLoad';
import type { AgentRecord } from '../../../contract/agentSample';
import { FullhouseError } from '../../../contract/calls';
import { Emitter } from '../../base/emitter';
import type { SshLink } from '../../links/ssh/sshLink';
import type { ServerAdapter } from '../../servers/adapter';
import { audienceCapabilities, machineOf } from '../agentValues';
import type { RemoteNodeOptions } from '../fleetKit';
import { staleAfterMs, type NodeChange, type RemoteNode } from '../node';
import { GroupDriver } from './groupDriver';
import type { GroupMember, GroupSource } from './groupSource';
import { formatViewers } from '../../../domain/text/numberFormat';

export interface TesterGroupOptions extends RemoteNodeOptions {
  /** How its members are reached, e.g. `SSH, 20 hosts`. */
  readonly reach: string;
  /** What its members have in common as a host, as in the view of a node. */
  readonly host: string;
  /** A run starts with this many ready members; by default with all. */
  readonly atLeast?: number;
  /** Its members exist for one run only. */
  readonly endsWithRun?: boolean;
  /** Uninstalls what the group left on its hosts; resolves with what remains. Absent if it leaves nothing. */
  readonly uninstall?: () => Promise<string[]>;
}

/** Progress is logged no more often than this. */
const progressEveryMs = 2000;

/** Several testers as one node: a job is split over its members, and their figures are merged. */
export class TesterGroup implements RemoteNode {
  readonly id: string;
  readonly role = 'tester';
  readonly host: string;
  readonly changes = new Emitter<NodeChange>();
  readonly figures = new FigureSources();
  readonly streams = [];
  readonly pid = undefined;
  state: NodeState = 'idle';
  private problem: string | undefined;
  private lastSampleMs: number | undefined;
  private isClosed = false;
  private starting: Promise<void> | undefined;
  private current: GroupDriver | undefined;
  private readonly machines = new Map<number, MachineFingerprint>();
  /** Names of the ready members. */
  private readonly names = new Map<number, string>();
  private readonly versions = new Set<string>();
  private lastProgress: { readonly timeMs: number; readonly sentence: string } | undefined;

  constructor(
    private readonly options: TesterGroupOptions,
    readonly settings: NodeSettings,
    private readonly source: GroupSource,
  ) {
    this.id = options.id;
    this.host = options.host;
    source.onMember((member) => this.join(member));
    source.onLost((index, reason, timeMs) => this.lose(index, reason, timeMs));
    source.onReadiness(() => {
      this.review();
      this.changes.emit({ kind: 'view' });
    });
  }

  get server(): ServerAdapter {
    throw new FullhouseError('no-origin', `${this.id} is a tester group, not a server.`);
  }

  get driver(): GroupDriver {
    if (this.current) return this.current;
    throw new FullhouseError('not-live', `${this.id} is not running; start it first.`);
  }

  get endsWithRun(): boolean {
    return this.options.endsWithRun ?? false;
  }

  get running(): boolean {
    return this.current !== undefined;
  }

  get staying(): boolean {
    return this.running && !this.isClosed;
  }

  /** Starts the missing members. Rejects with one sentence when fewer are ready than the settings ask for. */
  start(signal: AbortSignal = new AbortController().signal): Promise<void> {
    const { ready, size } = this.source.readiness;
    if (this.running && ready === size) return Promise.resolve();
    this.starting ??= this.startMissing(signal).finally(() => {
      this.starting = undefined;
      this.review();
    });
    return this.starting;
  }

  async stop(force = false): Promise<void> {
    this.current?.close();
    this.current = undefined;
    this.machines.clear();
    this.names.clear();
    await this.source.stop(force);
    this.change('idle');
  }

  /** Stops the agents and uninstalls them; resolves with what is left. */
  async removeAgent(): Promise<string[]> {
    if (!this.options.uninstall) throw new FullhouseError('no-agent', `${this.id} has no installed agent.`);
    await this.stop(true);
    return this.options.uninstall();
  }

  tick(nowMs: number): void {
    if (this.running) this.review(nowMs);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.current?.close();
    await this.source.close();
  }

  /** Starts the missing members without a run. */
  reconnect(): void {
    // Nothing would end what is started for no run.
    if (this.endsWithRun && !this.running) return;
    void this.start().catch(() => undefined); // its failure is in the view
  }

  programs(): Promise<readonly ProgramShare[]> {
    return Promise.resolve([]);
  }

  shell(): Promise<SshLink> {
    return Promise.reject(
      new FullhouseError(
        'no-ssh',
        `${this.id} has several members; use one of its hosts as a node of its own for this.`,
      ),
    );
  }

  trustHostKey(fingerprint: string): void {
    if (!this.source.trust) throw new FullhouseError('bad-input', `${this.id} has no host key to confirm.`);
    this.source.trust(fingerprint);
  }

  view(name = this.id): NodeView {
    const { options, source } = this;
    const { size, ready, missing } = source.readiness;
    const hostKey = source.hostKey?.();
    return {
      id: this.id,
      name,
      role: this.role,
      colourSlot: options.colourSlot,
      state: this.state,
      problem: options.lacking ?? this.problem,
      software: this.versions.size > 0 ? `agent ${[...this.versions].join(', ')}` : undefined,
      reach: options.reach,
      host: this.host,
      lastSampleMs: this.lastSampleMs,
      streams: [],
      machine: this.commonMachine(),
      viewerLimit: this.current?.viewerLimit,
      settings: options.written,
      builtIn: false,
      group: { size, ready, missing: [...missing], members: this.memberNames() },
      links: [{ kind: 'agent', label: `${ready} of ${size} agents`, state: this.linkState() }],
      // Delays need the clock of the one sender of a stream, which a group does not have.
      can: { ...audienceCapabilities(this.current), publish: [] },
      clock: this.current?.remoteClock,
      figureSources: this.figures.view((from) => figureSourceNames[from]),
      gcSource: undefined,
      fix:
        options.lacking !== undefined ? 'enter-secret' : hostKey ? 'trust-key' : this.problem ? 'reconnect' : undefined,
      hostKey,
      secrets: options.secretKinds(),
    };
  }

  private async startMissing(signal: AbortSignal): Promise<void> {
    const { id, source, options } = this;
    if (options.lacking !== undefined) throw new FullhouseError('needs-secret', options.lacking);
    this.change('starting');
    try {
      await source.start(signal);
      this.progress(true);
      const { ready, size, missing } = source.readiness;
      const needed = Math.min(size, options.atLeast ?? size);
      if (signal.aborted) return;
      if (ready < needed)
        throw new FullhouseError(
          'group-not-ready',
          `${id}: ${readinessText(source.readiness)} Fix this, or let the run start with fewer (atLeast: ${ready || 1}).`,
        );
      if (ready < size) this.say('group-short', `${id} started with ${readinessText(source.readiness)}`);
      this.problem = missing.length > 0 ? readinessText(source.readiness) : undefined;
    } catch (error) {
      this.change('failed', (error as Error).message);
      throw error;
    }
  }

  private join(member: GroupMember): void {
    if (this.isClosed) return;
    const { link, name, index } = member;
    const isFirst = this.current === undefined;
    this.current ??= this.open();
    this.machines.set(index, {
      ...machineOf(link.hello),
      versions: { ...this.options.versions, agent: link.hello.agent },
    });
    this.versions.add(link.hello.agent);
    this.names.set(index, name);
    link.onRecord((record) => this.takeEvent(record, name));
    link.onState(() => this.review());
    link.onProblem((sentence) => this.say('warning', sentence));
    this.current.join(member);
    this.lastSampleMs ??= this.options.clock.now();
    if (!isFirst) this.say('member-ready', `${name} is ready`, index);
    this.review();
  }

  private open(): GroupDriver {
    const { id, clock } = this.options;
    const driver = new GroupDriver({ who: id, clock, mark: randomBytes(4).toString('hex') });
    driver.onSample((samples) => {
      this.changes.emit({ kind: 'pulls', samples });
    });
    driver.process.on(({ timeMs, values }) => {
      this.lastSampleMs = Math.max(this.lastSampleMs ?? 0, timeMs);
      this.review();
      this.changes.emit({ kind: 'process', timeMs, values: this.figures.take('agent', values) });
    });
    driver.problems.on((sentence) => this.say('warning', sentence));
    return driver;
  }

  private lose(index: number, reason: string, timeMs: number): void {
    const lost = this.current?.lose(index, reason, timeMs) ?? 0;
    this.machines.delete(index);
    this.names.delete(index);
    this.say('member-lost', lost > 0 ? `${reason}; ${formatViewers(lost)} lost` : reason, index, timeMs);
    this.review();
  }

  private takeEvent(record: AgentRecord, name: string): void {
    if (record.kind !== 'event') return;
    const { job, message, stepMs, ...event } = record.event;
    const ours = job === undefined ? undefined : this.current?.names.ours(job);
    if (job !== undefined && ours === undefined) return; // a run of another console
    this.changes.emit({
      kind: 'message',
      timeMs: record.timeMs,
      ...event,
      job: ours,
      ...(stepMs === undefined ? {} : { stepMs }),
      sentence: `${name}: ${message}`,
    });
  }

  private review(nowMs = this.options.clock.now()): void {
    const { source, lastSampleMs } = this;
    if (this.starting) return this.progress(false);
    if (!this.running) return;
    const { ready, size } = source.readiness;
    if (ready === 0) return this.change('failed', `${this.id} has no ready member. ${readinessText(source.readiness)}`);
    if (lastSampleMs !== undefined && nowMs - lastSampleMs > staleAfterMs)
      return this.change('stale', `No data from ${this.id} for ${Math.round((nowMs - lastSampleMs) / 1000)} s.`);
    this.change('live', ready < size ? readinessText(source.readiness) : undefined);
  }

  /** Logs how many members are ready while they start. */
  private progress(isLast: boolean): void {
    const nowMs = this.options.clock.now();
    const { size, ready } = this.source.readiness;
    const sentence = `${ready} of ${size} ready`;
    const { timeMs = 0, sentence: before } = this.lastProgress ?? {};
    if (sentence === before || (!isLast && nowMs - timeMs < progressEveryMs)) return;
    this.lastProgress = { timeMs: nowMs, sentence };
    this.say('readiness', sentence);
  }

  private memberNames(): string[] {
    const { size, missing } = this.source.readiness;
    const names = Array.from({ length: size }, (_, index) => this.names.get(index) ?? `member ${index + 1}`);
    for (const { index, name } of missing) names[index] = name;
    return names;
  }

  private linkState(): 'connecting' | 'live' | 'lost' | 'off' {
    const { ready } = this.source.readiness;
    if (this.starting) return 'connecting';
    return ready > 0 ? 'live' : this.state === 'failed' ? 'lost' : 'off';
  }

  /** That of every member, if all have the same. */
  private commonMachine(): MachineFingerprint | undefined {
    const [first, ...others] = [...this.machines.values()];
    const same = others.every((other) => JSON.stringify(other) === JSON.stringify(first));
    return same ? first : undefined;
  }

  private say(name: string, sentence: string, member?: number, timeMs = this.options.clock.now()): void {
    this.changes.emit({ kind: 'message', timeMs, name, sentence, ...(member === undefined ? {} : { member }) });
  }

  private change(state: NodeState, problem?: string): void {
    if (this.isClosed || (state === this.state && problem === this.problem)) return;
    const before = this.state;
    this.state = state;
    this.problem = problem;
    this.changes.emit(state === before ? { kind: 'view' } : { kind: 'state', state, before, problem });
  }
}
