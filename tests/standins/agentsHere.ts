import { EventEmitter } from 'node:events';
import { agentProtocolVersion } from '../../src/contract/agentProtocol';
import { every, type Clock } from '../../src/engine/base/clock';
import type { AgentExit, LocalAgent, LocalAgentOptions, LocalAgents } from '../../src/engine/links/localAgent';
import type { AgentSocket } from '../../src/engine/links/agentSocket';

/** Of no process: Linux numbers them up to 2^22. */
const noPid = 2 ** 22 + 1;
const open = 1;
const closed = 3;

/** The console's end of a connection to an agent within this process. */
class SocketHere extends EventEmitter {
  readyState: number = open;

  constructor(private readonly take: (text: string, socket: SocketHere) => void) {
    super();
  }

  send(text: string): void {
    queueMicrotask(() => {
      if (this.readyState === open) this.take(text, this);
    });
  }

  /** From the agent. */
  receive(text: string): void {
    queueMicrotask(() => {
      if (this.readyState === open) this.emit('message', Buffer.from(text));
    });
  }

  terminate(): void {
    if (this.readyState === closed) return;
    this.readyState = closed;
    queueMicrotask(() => this.emit('close'));
  }
}

interface Job {
  readonly job: string;
  readonly viewers: number;
  readonly ratePerSecond: number;
  readonly startedMs: number;
  /** Viewers that lost the server; they connect again if the job says so. */
  lost: number;
  readonly reconnects: boolean;
  stoppedMs?: number;
}

interface Request {
  readonly id: number;
  readonly call: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const refusal = ({ message }: Error): object => ({ code: 'no-job', message });

const process = { cpuPercent: 1, memoryBytes: 90e6, openFiles: 40, goroutines: 40, gcPauses: 0 };

/** An agent in memory that speaks the protocol and simulates its viewers, in the time of a clock. */
class AgentHere {
  readonly jobs = new Map<string, Job>();
  /** The number of publishers of each publication, in full at once. */
  readonly publications = new Map<string, number>();
  /** Orders to publish are accepted, but not answered. */
  hidesAcceptance = false;
  /** Since when each stream of a lab is published. */
  readonly streams = new Map<string, number>();
  /** Of a lab: sessions that it still counts although their viewers are gone. */
  forgotten = 0;
  /** Orders to disconnect viewers: followed, answered only, or not even that. */
  stops: 'followed' | 'answered' | 'ignored' = 'followed';
  /** Sends nothing and answers nothing, as a suspended process. */
  isFrozen = false;
  /** Refuses connections. */
  isUnreachable = false;
  /** How often it was dialled. */
  dials = 0;
  private readonly sockets = new Set<SocketHere>();
  private readonly greeted = new Set<SocketHere>();
  private readonly records: string[] = [];
  private readonly stopSampling: () => void;
  private resolveExit: (exit: AgentExit) => void = () => undefined;
  readonly exited = new Promise<AgentExit>((resolve) => (this.resolveExit = resolve));
  isAlive = true;

  constructor(
    readonly role: LocalAgentOptions['role'],
    readonly address: string,
    private readonly clock: Clock,
    /** Viewers of all audiences. */
    private readonly viewersOfLab: () => number,
  ) {
    this.stopSampling = every(clock, 1000, () => this.sample());
  }

  /** Viewers that have a session. */
  get present(): number {
    return [...this.jobs.values()].reduce((sum, job) => sum + this.connected(job), 0);
  }

  connect(): SocketHere {
    const socket = new SocketHere((text, from) => this.take(text, from));
    this.sockets.add(socket);
    socket.once('close', () => {
      this.sockets.delete(socket);
      this.greeted.delete(socket);
    });
    return socket;
  }

  /** Breaks its connections. */
  cut(): void {
    for (const socket of this.sockets) socket.terminate();
  }

  end(signal: string | null): Promise<AgentExit> {
    if (this.isAlive) {
      this.isAlive = false;
      this.stopSampling();
      this.jobs.clear();
      this.publications.clear();
      this.cut();
      const how = signal === null ? 'ended' : `was ended by ${signal}`;
      this.resolveExit({ code: signal === null ? 0 : null, signal, sentence: `The ${this.role} agent ${how}.` });
    }
    return this.exited;
  }

  /** So many viewers of each job have lost the server from now on. */
  lose(viewers: number): void {
    for (const job of this.jobs.values()) job.lost = Math.min(job.viewers, viewers);
  }

  event(name: string, message: string): void {
    this.record({ kind: 'event', event: { name, message } });
  }

  private connected({ startedMs, ratePerSecond, viewers, lost, stoppedMs }: Job): number {
    if (stoppedMs !== undefined) return 0;
    const arrived = Math.floor(((this.clock.now() - startedMs) / 1000) * ratePerSecond);
    return Math.max(0, Math.min(viewers, arrived) - lost);
  }

  private sample(): void {
    if (this.isFrozen) return;
    if (this.role === 'lab') {
      const viewers = this.viewersOfLab() + this.forgotten;
      const streams = this.streamList(viewers);
      const lab = { viewers, bitrateOutKbps: 400 * viewers, packetsOutPerSecond: 50 * viewers, sendErrors: 0 };
      this.record({ kind: 'sample', sample: { process, lab: { ...lab, degraded: 0, streams } } });
    } else {
      const publications = [...this.publications].map(([job, live]) => ({
        ...{ job, protocol: 'whip', state: 'live', bitrateKbps: 400 * live, fps: 25, sinceMs: this.clock.now() },
        ...{ requested: live, live },
      }));
      const jobs = [...this.jobs.values()].map((j) => this.jobOf(j));
      this.record({ kind: 'sample', sample: { process, jobs, publications } });
    }
  }

  private streamList(viewers: number): readonly object[] {
    return [...this.streams].map(([stream, sinceMs]) => ({
      ...{ stream, source: 'sample-240p', ageMs: this.clock.now() - sinceMs, viewers, connecting: 0 },
    }));
  }

  private jobOf(job: Job): object {
    const connected = this.connected(job);
    const isOver = job.stoppedMs !== undefined;
    const waiting = isOver ? 0 : job.viewers - connected - job.lost;
    return {
      ...{ job: job.job, requested: job.viewers, waiting, connecting: 0, connected, degraded: 0, present: connected },
      state: isOver ? 'ended' : waiting > 0 ? 'ramping-up' : 'holding',
      ...(job.reconnects ? { failed: 0, reconnecting: job.lost } : { failed: job.lost }),
      disconnected: isOver ? job.viewers - job.lost : 0,
      ...{ arrivalRateTarget: job.ratePerSecond, arrivalRateAchieved: job.ratePerSecond },
      ...{ bitrateKbps: 400 * connected, packetsPerSecond: 50 * connected, lossPercent: 0, stalls: 0, failures: [] },
    };
  }

  private record(content: object): void {
    const sequence = this.records.length + 1;
    const text = JSON.stringify({ type: 'record', sequence, timeMs: this.clock.now(), ...content });
    this.records.push(text);
    for (const socket of this.greeted) socket.receive(text);
  }

  private take(text: string, socket: SocketHere): void {
    if (this.isFrozen) return;
    const { id, call, params } = JSON.parse(text) as Request;
    const result = this.answer(call, params);
    if (result === undefined) return;
    const answer = result instanceof Error ? { ok: false, error: refusal(result) } : { ok: true, result };
    socket.receive(JSON.stringify({ type: 'response', id, ...answer }));
    if (call !== 'hello') return;
    const from = params['resumeAfter'] as number | undefined;
    for (const record of this.records.slice(from ?? this.records.length)) socket.receive(record);
    this.greeted.add(socket);
  }

  private answer(call: string, params: Readonly<Record<string, unknown>>): object | undefined {
    const nowMs = this.clock.now();
    const { job = '', stream = '' } = params as { readonly job?: string; readonly stream?: string };
    switch (call) {
      case 'hello':
        return {
          ...{
            protocol: agentProtocolVersion,
            agent: '0.1.0',
            role: this.role,
            instance: this.address,
            pid: noPid,
            nowMs,
          },
          ...{ oldestSequence: 1, latestSequence: this.records.length },
          host: { system: 'linux', architecture: 'amd64', kernel: '6', cpuModel: 'x', cores: 4, memoryBytes: 8e9 },
          limits: { openFiles: 65_536, viewers: 20_000 },
          protocols: ['whep'],
          ...(this.role === 'lab' ? { http: '127.0.0.1:1' } : {}),
        };
      case 'ping':
        return { nowMs };
      case 'audience.start': {
        const { viewers, ratePerSecond } = params as { readonly viewers: number; readonly ratePerSecond: number };
        this.jobs.set(job, {
          job,
          viewers,
          ratePerSecond,
          startedMs: nowMs,
          lost: 0,
          reconnects: params['reconnect'] === true,
        });
        return { job, viewers, warnings: [] };
      }
      case 'audience.stop':
      case 'stop-all':
        if (this.stops === 'ignored') return undefined;
        if (this.stops === 'answered') return { present: this.present };
        for (const each of this.jobs.values()) if (call === 'stop-all' || each.job === job) each.stoppedMs ??= nowMs;
        return { present: 0 };
      case 'audience.publish':
        this.publications.set(job, (params['targets'] as readonly unknown[] | undefined)?.length ?? 1);
        return this.hidesAcceptance ? undefined : { job, warnings: [] };
      case 'audience.unpublish':
        if (this.stops === 'ignored') return undefined;
        return this.publications.delete(job) ? { job } : new Error(`No publication "${job}" exists.`);
      case 'audience.publishers':
        return { total: 0, publishers: [] };
      case 'audience.viewers':
        return { total: 0, viewers: [] };
      case 'lab.publish-sample':
        this.streams.set(stream, nowMs);
        return { stream, whepUrl: `http://127.0.0.1:1/whep/${stream}` };
      case 'lab.unpublish':
        this.streams.delete(stream);
        return { viewers: 0 };
      case 'lab.streams':
        return { streams: this.streamList(this.viewersOfLab()) };
      case 'shutdown':
        void this.end(null);
        return {};
      default:
        return {};
    }
  }
}

/** The agents of this machine, in memory and in the time of a clock: a lab, and audiences that pull from it. */
export class AgentsHere implements LocalAgents {
  readonly all: AgentHere[] = [];

  constructor(private readonly clock: Clock) {}

  get lab(): AgentHere {
    return this.running('lab');
  }

  /** The only running one. */
  get audience(): AgentHere {
    return this.running('audience');
  }

  readonly start = ({ role }: LocalAgentOptions): Promise<LocalAgent> => {
    const viewers = (): number => this.all.reduce((sum, { present }) => sum + present, 0);
    const agent = new AgentHere(role, `${role}:${this.all.length}`, this.clock, viewers);
    this.all.push(agent);
    const { address, exited } = agent;
    return Promise.resolve({
      listening: { type: 'listening', protocol: agentProtocolVersion, agent: '0.1.0', role, address, pid: noPid },
      ...{ pid: noPid, token: 'x', exited },
      alive: () => agent.isAlive,
      end: async (ask, force) => {
        if (!force) await ask?.();
        return agent.end('SIGKILL');
      },
    });
  };

  readonly dial: LocalAgents['dial'] = (address) => {
    const agent = this.all.find((each) => each.address === address);
    if (agent) agent.dials += 1;
    if (!agent?.isAlive || agent.isUnreachable) {
      const opened = Promise.reject(new Error(`nothing listens at ${address}`));
      return { socket: new SocketHere(() => undefined) as unknown as AgentSocket, opened };
    }
    return { socket: agent.connect() as unknown as AgentSocket, opened: Promise.resolve() };
  };

  private running(role: LocalAgentOptions['role']): AgentHere {
    const agent = this.all.find((each) => each.isAlive && each.role === role);
    if (!agent) throw new Error(`No ${role} is running.`);
    return agent;
  }
}
