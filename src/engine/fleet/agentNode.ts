import {
  maxStreamsInView,
  type LinkView,
  type MachineFingerprint,
  type NodeRole,
  type NodeState,
  type NodeView,
  type StreamView,
} from '../../domain/model/node';
import { FigureSources } from '../../domain/node/figureSources';
import { figureSourceNames } from '../../domain/series/series';
import { isOriginSettings, type NodeSettings } from '../../domain/model/nodeSettings';
import type { AgentRecord } from '../../contract/agentSample';
import { FullhouseError } from '../../contract/calls';
import type { LabConditions } from '../../contract/labProtocol';
import type { Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import { agentMemoryArguments } from '../links/agentMemory';
import { idleTimeouts } from '../links/idleTimeout';
import { type AgentLink } from '../links/agentLink';
import { openAgentLink } from '../links/webSocketLink';
import {
  localAgentBinary,
  startLocalAgent,
  type AgentExit,
  type LocalAgent,
  type LocalAgents,
} from '../links/localAgent';
import { agentDriver } from '../load/agent/agentDriver';
import type { LoadDriver } from '../load/driver';
import type { ServerAdapter } from '../servers/adapter';
import { labCapabilities, labServer } from '../servers/lab/labServer';
import type { OwnProcesses } from '../telemetry/ownProcesses';
import { AgentWork } from './agentWork';
import { audienceCapabilities, machineOf, processValues } from './agentValues';
import { staleAfterMs, thisMachine, type FleetNode, type NodeChange } from './node';

export interface AgentNodeOptions {
  readonly id: string;
  readonly colourSlot: number;
  readonly settings: NodeSettings;
  /** Always present: the lab and the tester of this machine. */
  readonly builtIn: boolean;
  /** Folder of agent builds, one subfolder per platform. */
  readonly agentFolder: string;
  readonly samplesFolder: string;
  /** Versions by name; `fullhouse` is ours. They are part of the machine's fingerprint. */
  readonly versions: Readonly<Record<string, string>>;
  /** Where the lab serves WHIP and WHEP; port 0 for any. */
  readonly labHttp: string;
  readonly clock: Clock;
  /** Registers this node's process and the machine that it runs on. */
  readonly own: OwnProcesses;
  readonly machine: string | undefined;
  /** Default: processes of this machine. */
  readonly agents?: LocalAgents | undefined;
}

/**
 * A link that breaks because the process ended is not reported separately: the end of the process follows within this
 * time.
 */
const exitReportMs = 300;

function linkState(state: NodeState): LinkView['state'] {
  if (state === 'live') return 'live';
  if (state === 'starting') return 'connecting';
  return state === 'idle' ? 'off' : 'lost';
}

/** A node of this machine: an agent in one of its roles, started on demand. */
export class AgentNode implements FleetNode {
  readonly id: string;
  readonly role: NodeRole;
  readonly host = thisMachine;
  readonly changes = new Emitter<NodeChange>();
  readonly figures = new FigureSources();
  state: NodeState = 'idle';
  private problem: string | undefined;
  streams: readonly StreamView[] = [];
  private lastSampleMs: number | undefined;
  private machine: MachineFingerprint | undefined;
  private agentVersion: string | undefined;
  private lastLimit: number | undefined;
  private process: LocalAgent | undefined;
  private link: AgentLink | undefined;
  private starting: Promise<void> | undefined;
  private isEnding = false;
  private work = new AgentWork();
  private liveServer: ServerAdapter | undefined;
  private liveDriver: LoadDriver | undefined;

  constructor(private readonly options: AgentNodeOptions) {
    this.id = options.id;
    this.role = isOriginSettings(options.settings) ? 'origin' : 'tester';
  }

  get settings(): NodeSettings {
    return this.options.settings;
  }

  /** The agent's process id while it runs. */
  get pid(): number | undefined {
    return this.process?.alive() ? this.process.pid : undefined;
  }

  /** The server's adapter. Throws a sentence when the node is not running or is not a server. */
  get server(): ServerAdapter {
    if (this.liveServer) return this.liveServer;
    throw this.notRunning();
  }

  /** The driver that creates viewers. Throws a sentence when the node is not running or is not a tester. */
  get driver(): LoadDriver {
    if (this.liveDriver) return this.liveDriver;
    throw this.notRunning();
  }

  get running(): boolean {
    return this.liveServer !== undefined || this.liveDriver !== undefined;
  }

  /** Whether it runs and is not being stopped. */
  get staying(): boolean {
    return this.running && !this.isEnding;
  }

  view(name = this.id): NodeView {
    return {
      id: this.id,
      name,
      role: this.role,
      ...(this.role === 'origin' ? { server: 'lab' as const } : {}),
      colourSlot: this.options.colourSlot,
      state: this.state,
      problem: this.problem,
      software: this.agentVersion && `${this.role === 'origin' ? 'lab' : 'agent'} ${this.agentVersion}`,
      reach: 'this machine',
      host: thisMachine,
      lastSampleMs: this.lastSampleMs,
      streams: this.streams.slice(0, maxStreamsInView),
      machine: this.machine,
      viewerLimit: this.role === 'tester' ? this.lastLimit : undefined,
      settings: this.options.settings,
      builtIn: this.options.builtIn,
      streamCount: this.role === 'origin' ? this.streams.length : undefined,
      links: [{ kind: 'loopback', label: 'loopback', state: linkState(this.state) }],
      can: this.role === 'origin' ? labCapabilities : audienceCapabilities(this.liveDriver),
      figureSources: this.figures.view((source) => figureSourceNames[source]),
      gcSource: this.running ? 'Go runtime of the agent' : undefined,
    };
  }

  /** Starts the agent and waits until it responds; does nothing when it runs already. */
  start(): Promise<void> {
    if (this.running && this.process?.alive()) return Promise.resolve();
    this.starting ??= this.launch().finally(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /** Stops the agent and all that it serves; `force` skips the orderly shutdown. Resolves when its process is gone. */
  async stop(force = false): Promise<void> {
    await this.starting?.catch(() => undefined); // its failure was reported to the caller of start
    const { process, link } = this;
    if (!process) return;
    this.isEnding = true;
    try {
      await process.end(link?.state === 'live' ? () => link.request('shutdown', {}, 2000) : undefined, force);
    } finally {
      this.isEnding = false;
    }
    this.detach();
    this.change('idle');
  }

  /**
   * Changes the network conditions of a stream's viewers at the lab. Rejects with a sentence when it is not running or
   * has no such stream.
   */
  async conditions(stream: string, conditions: LabConditions): Promise<LabConditions> {
    if (!this.link || this.role !== 'origin') throw this.notRunning();
    return this.link.request('lab.conditions', { stream, ...conditions });
  }

  /** Checks once a second whether the node has stopped reporting. */
  tick(nowMs: number): void {
    if (this.state === 'live' && this.lastSampleMs !== undefined && nowMs - this.lastSampleMs > staleAfterMs)
      this.change('stale', `No data from ${this.id} for ${Math.round((nowMs - this.lastSampleMs) / 1000)} s.`);
  }

  close(): Promise<void> {
    return this.stop(true);
  }

  private async launch(): Promise<void> {
    const { agentFolder, samplesFolder, labHttp, versions, clock, agents } = this.options;
    this.change('starting');
    try {
      const agent = await (agents?.start ?? startLocalAgent)({
        binary: localAgentBinary(agentFolder),
        role: this.role === 'origin' ? 'lab' : 'audience',
        args: [
          ...(this.role === 'origin'
            ? ['--http', labHttp, '--idle-timeout', idleTimeouts.lab]
            : ['--idle-timeout', idleTimeouts.audience, ...agentMemoryArguments()]),
          ...['--samples', samplesFolder],
        ],
        clock,
      });
      this.process = agent;
      this.options.own.set(this.id, this.options.machine, [agent.pid]);
      void agent.exited.then((exit) => this.exited(agent, exit));
      const link = await openAgentLink({
        address: () => agent.listening.address,
        token: agent.token,
        who: `The agent of ${this.id}`,
        version: versions['fullhouse'] ?? 'unknown',
        clock,
        dial: agents?.dial,
      }).catch(async (error: unknown) => {
        this.process = undefined;
        this.options.own.forget(this.id);
        // An agent that has just ended has its own reason.
        const { code, sentence } = await Promise.race([agent.exited, agent.end(undefined, true)]);
        throw code === null ? error : new FullhouseError('no-agent', sentence);
      });
      this.attach(link);
    } catch (error) {
      this.change('failed', (error as Error).message);
      throw error;
    }
  }

  private notRunning(): FullhouseError {
    const why = this.problem === undefined ? '; start it first.' : `. ${this.problem}`;
    return new FullhouseError('not-live', `${this.id} is not running${why}`);
  }

  /** The agent's process ended without `stop`. Its last messages may still be unread, such as why it ended. */
  private async exited(agent: LocalAgent, { code, sentence }: AgentExit): Promise<void> {
    if (this.isEnding || this.process !== agent) return;
    await this.link?.drained();
    if (this.isEnding || this.process !== agent) return;
    this.detach();
    // Without a console, as while this machine slept, an agent exits with 0: a fault only if it had something to do.
    if (code === 0 && !this.work.isOpen) this.change('idle');
    else this.change('failed', sentence);
  }

  private attach(link: AgentLink): void {
    const { hello } = link;
    this.link = link;
    this.work = new AgentWork();
    this.agentVersion = hello.agent;
    this.lastLimit = hello.limits.viewers;
    this.machine = {
      ...machineOf(hello),
      versions: { ...this.options.versions, agent: hello.agent },
    };
    link.onRecord((record) => this.take(record));
    link.onState((state) => {
      if (state === 'lost') this.options.clock.after(exitReportMs, () => this.noticeLoss(link));
      if (state === 'live') this.change('live');
    });
    link.onProblem((sentence) =>
      this.changes.emit({ kind: 'message', timeMs: this.options.clock.now(), name: 'warning', sentence }),
    );
    if (this.role === 'origin') {
      this.liveServer = labServer(link);
      this.liveServer.onSample((sample) => {
        this.streams = sample.streams;
        this.changes.emit({
          kind: 'server',
          sample: { ...sample, values: this.figures.take('server', sample.values) },
        });
      });
    } else {
      this.liveDriver = agentDriver(link);
      this.liveDriver.onSample((samples) => this.changes.emit({ kind: 'pulls', samples }));
    }
    this.lastSampleMs = this.options.clock.now();
    this.change('live');
  }

  private take(record: AgentRecord): void {
    this.lastSampleMs = Math.max(this.lastSampleMs ?? 0, record.timeMs);
    this.work.take(record);
    if (this.state === 'stale' && this.link?.state === 'live') this.change('live');
    if (record.kind === 'event') {
      const { message, ...event } = record.event;
      this.changes.emit({ kind: 'message', timeMs: record.timeMs, ...event, sentence: message });
      return;
    }
    this.changes.emit({
      kind: 'process',
      timeMs: record.timeMs,
      values: this.figures.take('agent', processValues(record.sample.process)),
    });
  }

  private noticeLoss(link: AgentLink): void {
    if (this.link === link && link.state === 'lost')
      this.change('stale', `Connection to ${this.id} lost; reconnecting.`);
  }

  private detach(): void {
    this.link?.close();
    this.link = undefined;
    this.process = undefined;
    this.options.own.forget(this.id);
    this.liveServer = undefined;
    this.liveDriver = undefined;
    this.streams = [];
  }

  private change(state: NodeState, problem?: string): void {
    if (state === this.state && problem === this.problem) return;
    const before = this.state;
    this.state = state;
    this.problem = problem;
    this.changes.emit({ kind: 'state', state, before, problem });
  }
}
