import { randomBytes } from 'node:crypto';
import type { LinkView, MachineFingerprint, NodeView } from '../../domain/model/node';
import type { TesterSettings } from '../../domain/model/nodeSettings';
import type { JobSample, AgentRecord } from '../../contract/agentSample';
import { FullhouseError } from '../../contract/calls';
import { type AgentLink } from '../links/agentLink';
import { openAgentLink } from '../links/webSocketLink';
import { endOfRemoteAgent, ensureRemoteAgent, removeRemoteAgent, stopRemoteAgent } from '../links/remoteAgent';
import { agentEndMessage } from '../links/remoteAgentFaults';
import { agentDriver } from '../load/agent/agentDriver';
import { markedNames } from '../load/agent/jobNames';
import type { LoadDriver } from '../load/driver';
import type { ServerAdapter } from '../servers/adapter';
import { audienceCapabilities, machineOf, processValues } from './agentValues';
import type { RemoteNodeOptions } from './fleetKit';
import { staleAfterMs, type RemoteNode } from './node';
import { RemoteBase } from './remoteBase';
import { formatViewers } from '../../domain/text/numberFormat';

export interface SshTesterOptions extends RemoteNodeOptions {
  readonly agentFolder: string;
  readonly samplesFolder: string;
}

/** Jobs whose viewers stay; those of an earlier run that are still disconnecting are gone by themselves. */
const lasting: ReadonlySet<JobSample['state']> = new Set(['ramping-up', 'holding']);

/** A machine that runs viewers with an agent that is installed over SSH on first use and survives a lost link. */
export class SshTester extends RemoteBase implements RemoteNode {
  readonly role = 'tester';
  readonly streams = [];
  private link: AgentLink | undefined;
  private liveDriver: LoadDriver | undefined;
  private starting: Promise<void> | undefined;
  private looking: Promise<void> | undefined;
  private lastLimit: number | undefined;
  private agentProblem: string | undefined;
  private agentPid: number | undefined;
  private lastAgentMs: number | undefined;
  private readonly jobNames = markedNames(randomBytes(4).toString('hex'));
  /** Viewers there of other consoles. */
  private others = 0;
  /** It has viewers or publications of ours. */
  private isWorking = false;

  constructor(
    protected override readonly options: SshTesterOptions,
    override readonly settings: TesterSettings,
  ) {
    super(options, settings, () => undefined);
    this.watch.samples.on(() => {
      // The host may have identified its machine only after the agent connected.
      if (this.agentPid !== undefined) this.options.own.set(this.id, this.watch.machineKey, [this.agentPid]);
    });
    this.watch.start();
  }

  get server(): ServerAdapter {
    throw new FullhouseError('no-origin', `${this.id} is a tester, not a server.`);
  }

  get driver(): LoadDriver {
    if (this.liveDriver) return this.liveDriver;
    throw new FullhouseError('not-live', `The agent on ${this.id} is not running; start it first.`);
  }

  get running(): boolean {
    return this.liveDriver !== undefined;
  }

  get staying(): boolean {
    return this.running && !this.isClosed;
  }

  start(): Promise<void> {
    if (this.link?.state === 'live') {
      this.notifyOthers();
      return Promise.resolve();
    }
    this.starting ??= this.startAgain().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** Disconnects all viewers and stops the agent; its files stay on the tester for the next time. */
  async stop(force = false): Promise<void> {
    await this.starting?.catch(() => undefined); // its failure was reported to the caller of start
    const { link } = this;
    if (!link) return;
    try {
      const isShutDown =
        !force &&
        link.state === 'live' &&
        (await link.request('shutdown', {}, 15_000).then(
          () => true,
          () => false,
        ));
      if (!isShutDown) await stopRemoteAgent(await this.watch.link(), this.id);
    } finally {
      this.detach();
    }
  }

  /** Stops the agent and uninstalls it from the tester; resolves with what is left. */
  async removeAgent(): Promise<string[]> {
    await this.starting?.catch(() => undefined); // reported to the caller of start
    this.detach();
    return removeRemoteAgent(await this.watch.link(), this.id);
  }

  tick(nowMs: number): void {
    const { lastAgentMs, link } = this;
    if (link && lastAgentMs !== undefined && nowMs - lastAgentMs > staleAfterMs) {
      this.review(nowMs);
      void this.checkForEnd();
    } else if (this.state === 'live' && this.lastSampleMs !== undefined && nowMs - this.lastSampleMs > staleAfterMs)
      this.review(nowMs);
  }

  /** Disconnects from the agent: without a console it disconnects its viewers and exits after a while. */
  close(): Promise<void> {
    this.isClosed = true;
    this.options.own.forget(this.id);
    this.link?.close();
    this.watch.close();
    return Promise.resolve();
  }

  view(name = this.id): NodeView {
    const { link } = this;
    const hello = link && link.state !== 'closed' ? link.hello : undefined;
    const base = this.baseView(name);
    const machine: MachineFingerprint | undefined = base.machine ?? (hello && { ...machineOf(hello), versions: {} });
    return {
      ...base,
      machine: machine && {
        ...machine,
        openFilesLimit: hello?.limits.openFiles ?? machine.openFilesLimit,
        ...(hello?.unmeasured === undefined ? {} : { unmeasured: hello.unmeasured }),
        versions: { ...machine.versions, ...(hello ? { agent: hello.agent } : {}) },
      },
      software: hello && `agent ${hello.agent}`,
      reach: this.settings.ssh ?? '',
      streams: [],
      viewerLimit: this.lastLimit,
      links: [...this.watch.links(), this.agentLinkView()],
      can: audienceCapabilities(this.liveDriver),
      gcSource: hello ? 'Go runtime of the agent' : undefined,
      problem: base.problem ?? this.watch.problem,
    };
  }

  protected review(nowMs = this.options.clock.now()): void {
    const { watch, link, agentProblem, lastAgentMs } = this;
    if (agentProblem !== undefined && !link) return this.change('failed', agentProblem);
    const silentMs = nowMs - Math.min(lastAgentMs ?? nowMs, this.lastSampleMs ?? nowMs);
    if (link && silentMs > staleAfterMs)
      return this.change(
        'stale',
        watch.problem ??
          `The agent on ${this.id} has not responded for ${Math.round(silentMs / 1000)} s; reconnecting. It keeps its samples.`,
      );
    if (watch.problem !== undefined)
      return this.change(this.lastSampleMs === undefined ? 'failed' : 'stale', watch.problem);
    if (this.lastSampleMs === undefined) return this.change('starting');
    if (nowMs - this.lastSampleMs > staleAfterMs)
      return this.change('stale', `No data from ${this.id} for ${Math.round((nowMs - this.lastSampleMs) / 1000)} s.`);
    this.change('live');
  }

  /** A lost link reconnects automatically, unless the agent has ended. */
  private async startAgain(): Promise<void> {
    if (this.link) await this.checkForEnd();
    if (!this.link || this.link.state === 'closed') await this.launch();
  }

  /**
   * Checks over SSH whether an agent that does not respond still runs. If it has ended, its viewers have too, which is
   * reported at once.
   */
  private checkForEnd(): Promise<void> {
    const { link, watch, id } = this;
    if (link?.state !== 'lost' || watch.ssh?.state !== 'live') return Promise.resolve();
    this.looking ??= endOfRemoteAgent(watch.ssh, id)
      .then((end) => {
        if (!end || this.link !== link || link.state === 'live') return;
        // Stopped while idle, as after a long time without a console, is no fault.
        if (!end.isOrderly || this.isWorking) this.agentProblem = agentEndMessage(id, end);
        this.detach();
      })
      .catch(() => undefined) // SSH is lost as well, which its link reports; retried later
      .finally(() => {
        this.looking = undefined;
      });
    return this.looking;
  }

  private async launch(): Promise<void> {
    const { id, options } = this;
    this.agentProblem = undefined;
    try {
      const agent = await ensureRemoteAgent(await this.watch.link(), {
        who: id,
        agentFolder: options.agentFolder,
        samplesFolder: options.samplesFolder,
      });
      const link = await openAgentLink({
        address: () => `${agent.address.host}:${agent.address.port}`,
        token: agent.token,
        ranBefore: agent.ranBefore,
        tunnel: async () => (await this.watch.link()).connect(agent.address.host, agent.address.port),
        who: `The agent on ${id}`,
        version: options.versions['fullhouse'] ?? 'unknown',
        clock: options.clock,
      });
      if (this.isClosed) return link.close();
      this.agentPid = agent.pid;
      this.options.own.set(this.id, this.watch.machineKey, [agent.pid]);
      this.attach(link);
      for (const sentence of agent.warnings) this.say(sentence);
    } catch (error) {
      this.agentProblem = (error as Error).message;
      throw error;
    } finally {
      this.review();
    }
  }

  private attach(link: AgentLink): void {
    this.link = link;
    this.lastLimit = link.hello.limits.viewers;
    this.lastAgentMs = this.options.clock.now();
    link.onRecord((record) => this.take(record));
    link.onState((state) => {
      // Closed by the other side: another agent with another token or protocol runs there now.
      if (state === 'closed' && this.link === link) {
        this.agentProblem = `The agent on ${this.id} was replaced by another one; start again to connect to it.`;
        this.detach();
      }
      this.changes.emit({ kind: 'view' });
      this.review();
    });
    link.onProblem((sentence) => this.say(sentence));
    this.liveDriver = agentDriver(link, this.jobNames);
    this.liveDriver.onSample((samples) => this.changes.emit({ kind: 'pulls', samples }));
  }

  private take(record: AgentRecord): void {
    this.lastAgentMs = this.options.clock.now();
    this.heard(record.timeMs);
    if (record.kind === 'event') {
      const { job, message, ...event } = record.event;
      const ours = job === undefined ? undefined : this.jobNames.ours(job);
      if (job !== undefined && ours === undefined) return; // a run of another console
      this.changes.emit({ kind: 'message', timeMs: record.timeMs, ...event, job: ours, sentence: message });
      return;
    }
    const { jobs = [], publications = [] } = record.sample;
    this.countOthers(jobs);
    this.isWorking = [...jobs, ...publications].some(
      ({ job, state }) => state !== 'ended' && this.jobNames.ours(job) !== undefined,
    );
    this.changes.emit({
      kind: 'process',
      timeMs: record.timeMs,
      values: this.figures.take('agent', processValues(record.sample.process)),
    });
    this.review();
  }

  /**
   * Viewers of another console load tester and origin as ours do. They may be a colleague's, so only the user may
   * disconnect them.
   */
  private countOthers(jobs: readonly JobSample[]): void {
    const before = this.others;
    this.others = jobs
      .filter(({ job, state }) => lasting.has(state) && this.jobNames.ours(job) === undefined)
      .reduce((sum, { present }) => sum + present, 0);
    if (before === 0) this.notifyOthers();
  }

  private notifyOthers(): void {
    if (this.others === 0) return;
    const of =
      this.link?.hello.consoles === 1
        ? 'a console that is no longer connected'
        : 'another console, or of one that crashed';
    this.say(`${this.id} runs ${formatViewers(this.others)} of ${of}; "Remove agent" in its menu disconnects them.`);
  }

  private detach(): void {
    const { link } = this;
    this.others = 0;
    this.isWorking = false;
    this.agentPid = undefined;
    this.options.own.forget(this.id);
    this.link = undefined;
    this.liveDriver = undefined;
    this.lastAgentMs = undefined;
    link?.close();
    // Listeners have to learn that its pulls have ended; its host is unchanged.
    if (link) this.change(this.agentProblem === undefined ? 'idle' : 'failed', this.agentProblem);
    this.review();
  }

  private agentLinkView(): LinkView {
    const state = this.link?.state ?? (this.starting ? 'connecting' : 'off');
    return {
      kind: 'agent',
      label: 'agent',
      state: state === 'closed' ? 'off' : state,
      problem: this.agentProblem,
    };
  }

  private say(sentence: string): void {
    this.changes.emit({ kind: 'message', timeMs: this.options.clock.now(), name: 'warning', sentence });
  }
}
