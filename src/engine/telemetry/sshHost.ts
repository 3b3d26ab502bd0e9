import type { ClockView, MachineFingerprint } from '../../domain/model/node';
import type { ProgramShare } from '../../domain/model/otherLoad';
import { everySecond, type Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import type { SshCommand, SshLink } from '../links/ssh/sshLink';
import { BestOffset } from '../links/bestOffset';
import { hostValues, type HostReading } from './hostRates';
import type { HostSample, HostSource } from './hostSource';
import { ProcReader, parseProcResponse } from './proc/procReading';
import { fingerprint, parseFacts, type HostFacts } from './proc/machineFacts';
import { procScript } from './proc/procScript';
import { ServerProcesses, type ProcessIdentity } from './proc/serverProcesses';
import type { NetworkStructure } from '../../domain/node/wires';
import { parseDiskFree, parseStructure, structureEveryMs } from './networkStructure';
import type { OwnProcesses } from './ownProcesses';
import { RemotePrograms } from './remotePrograms';
import { errorText } from '../../domain/text/errorText';

export interface SshHostOptions {
  readonly link: Pick<SshLink, 'state' | 'follow' | 'onState'>;
  /** The node's name, for messages. */
  readonly who: string;
  readonly clock: Clock;
  /** Name of the media server's process, see `pickProcesses`. */
  readonly processName?: string;
  /** Its pid, when the server reported it; when that process ends, the name is searched. */
  readonly processPid?: number;
  /** The processes of the test on all machines; without them other programs are not reported. */
  readonly own?: OwnProcesses;
  /** A media server runs there: while its processes are unknown, they can't be distinguished from other programs. */
  readonly hasServer?: boolean;
}

export interface SshHost extends HostSource {
  programs(): Promise<readonly ProgramShare[]>;
  /** Sentence about missing figures while others are received, e.g. that no process has the name. */
  readonly remark: string | undefined;
  /** Sets the media server's process name once it is known, replacing the earlier one. */
  watchProcess(name: string | undefined, pid?: number): void;
}

/** A channel without a response for this long is closed and another one opened. */
const responseTimeoutMs = 15_000;
/** Two ticks closer than this count as one. */
const minIntervalMs = 500;
/** Far above what a machine with thousands of cores sends between two requests. */
const maxBufferCharacters = 4_000_000;
const shortestWaitMs = 1000;
const longestWaitMs = 15_000;

/**
 * Figures of a host from its /proc: one channel, in which a small script serves one request a second. It needs only
 * a POSIX shell on the host, leaves nothing behind, and ends with the connection. After a reconnect it starts over.
 */
export function openSshHost(options: SshHostOptions): SshHost {
  return new ProcOverSsh(options);
}

/** One run of the script. */
interface Channel {
  command: SshCommand | undefined;
  facts: HostFacts | undefined;
  reader: ProcReader | undefined;
  /** When it was started, by our clock. */
  readonly startedMs: number;
  readonly received: string[];
  /** How the host's network interfaces depend on each other, once it was read; its lines while they arrive. */
  network: NetworkStructure | undefined;
  networkLines: string[] | undefined;
  networkMs: number;
  /** Free space of its disk, for the next reading. */
  diskFreeBytes?: number | undefined;
  /** All data since the last complete response. */
  receivedCharacters: number;
  lastError: string | undefined;
}

class ProcOverSsh implements SshHost {
  readonly label = '/proc over SSH';
  machine: MachineFingerprint | undefined;
  private readonly samples = new Emitter<HostSample>();
  private readonly problems = new Emitter<string | undefined>();
  private readonly offset = new BestOffset();
  private processList: ServerProcesses;
  private problem: string | undefined;
  private channel: Channel | undefined;
  private before: HostReading | undefined;
  /** The pending reading, by our clock. */
  private pending: { id: number; sentMs: number; answeredMs?: number; time?: string } | undefined;
  private lastId = 0;
  private pollMs = -Infinity;
  private readonly topPrograms: RemotePrograms;
  private waitMs = shortestWaitMs;
  private cancelRetry: (() => void) | undefined;
  private isClosed = false;
  private readonly stop: ReadonlyArray<() => void>;

  constructor(private readonly options: SshHostOptions) {
    this.processList = new ServerProcesses(options.processName, options.processPid);
    this.topPrograms = new RemotePrograms(options.clock);
    this.stop = [
      options.link.onState((state, problem) => {
        if (state === 'live') this.start();
        else if (state === 'lost') {
          this.drop();
          this.report(`${options.who}: no figures of its host: SSH connection lost. ${problem?.message ?? ''}`.trim());
        } else if (state === 'closed') this.close();
      }),
      everySecond(options.clock, () => this.poll()),
    ];
    if (options.link.state === 'live') this.start();
  }

  get clock(): ClockView | undefined {
    return this.offset.view;
  }

  get machineKey(): string | undefined {
    return this.channel?.facts?.machineKey;
  }

  get processes(): readonly ProcessIdentity[] | undefined {
    return this.channel?.facts && this.processList.identities;
  }

  get remark(): string | undefined {
    return this.processList.missing === undefined
      ? undefined
      : `No process called "${this.processList.missing}" runs on ${this.options.who}.`;
  }

  watchProcess(name: string | undefined, pid?: number): void {
    this.processList = new ServerProcesses(name, pid);
  }

  onSample(listener: (sample: HostSample) => void): () => void {
    return this.samples.on(listener);
  }

  onProblem(listener: (sentence: string | undefined) => void): () => void {
    return this.problems.on(listener);
  }

  programs(): Promise<readonly ProgramShare[]> {
    const { channel } = this;
    const { own } = this.options;
    if (!channel?.reader || !channel.command || !channel.facts) return Promise.resolve([]);
    const { facts, command } = channel;
    return this.topPrograms.measure({
      ask: (id) => command.write(`top ${id}\n`),
      cores: this.machine?.cores ?? 1,
      ticksPerSecond: facts.ticksPerSecond,
      pageBytes: facts.pageBytes,
      ours: () => [...this.processList.server, ...(own?.on(facts.machineKey) ?? [])],
    });
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.options.own?.forget(this.owner);
    for (const stop of this.stop) stop();
    this.drop();
  }

  /** Key in the list of the test's processes. */
  private get owner(): string {
    return `server on ${this.options.who}`;
  }

  /**
   * Processes of the test there except the server's; undefined where they can't be distinguished from other programs.
   */
  private own(channel: Channel): readonly number[] | undefined {
    const { own, hasServer = false } = this.options;
    const key = channel.facts?.machineKey;
    const { server } = this.processList;
    if (hasServer) own?.set(this.owner, key, server.length > 0 ? server : undefined);
    const ofTest = own?.on(key)?.filter((pid) => !server.includes(pid));
    return ofTest && [...ofTest, ...(own?.consoleOn(key) ?? [])];
  }

  private report(sentence: string | undefined): void {
    if (sentence === this.problem || this.isClosed) return;
    this.problem = sentence;
    this.problems.emit(sentence);
  }

  private start(): void {
    this.drop();
    const channel: Channel = {
      command: undefined,
      facts: undefined,
      reader: undefined,
      startedMs: this.options.clock.now(),
      received: [],
      ...{ network: undefined, networkLines: undefined, networkMs: -Infinity },
      receivedCharacters: 0,
      lastError: undefined,
    };
    this.channel = channel;
    this.options.link
      .follow(['sh', '-c', procScript], {
        line: (line) => {
          if (this.channel === channel) this.line(channel, line);
        },
        errorLine: (line) => {
          channel.lastError = line;
        },
      })
      .then(
        (command) => {
          if (this.channel !== channel) return command.end();
          channel.command = command;
          void command.ended.then(({ code, notStarted }) => this.ended(channel, code, notStarted));
        },
        (error: unknown) =>
          this.failed(channel, `${this.options.who}: its host's figures can't be read. ${errorText(error)}`),
      );
  }

  /** Closes the channel; nothing is computed across the gap. */
  private drop(): void {
    this.cancelRetry?.();
    this.cancelRetry = undefined;
    const command = this.channel?.command;
    this.topPrograms.drop();
    this.channel = undefined;
    this.pending = undefined;
    this.before = undefined;
    command?.end();
  }

  private ended(channel: Channel, code: number | null, notStarted: string | undefined): void {
    if (this.channel !== channel) return;
    if (notStarted !== undefined) return this.failed(channel, notStarted);
    const { who } = this.options;
    const system = channel.facts?.withoutProc;
    if (system !== undefined) {
      this.drop();
      this.report(
        `${who} runs ${system}, which has no /proc: its host's figures can't be read over SSH. Start a node_exporter there and enter its address.`,
      );
      return;
    }
    if (code === 127 || (code !== 0 && !channel.facts && code !== null)) {
      this.failed(
        channel,
        `${who} has no POSIX shell (sh ended with code ${code}${channel.lastError ? `: ${channel.lastError}` : ''}): its host's figures can't be read over SSH. Start a node_exporter there and enter its address.`,
      );
      return;
    }
    this.failed(channel, `${who}: the script that reads its host's figures ended and is restarted.`);
  }

  private failed(channel: Channel, sentence: string): void {
    if (this.channel !== channel || this.isClosed) return;
    this.drop();
    // A lost link reports itself and reconnects.
    if (this.options.link.state !== 'live') return;
    this.report(sentence);
    this.cancelRetry = this.options.clock.after(this.waitMs, () => this.start());
    this.waitMs = Math.min(2 * this.waitMs, longestWaitMs);
  }

  private poll(): void {
    const { channel, pending } = this;
    if (!channel) return;
    const { who, clock } = this.options;
    const nowMs = clock.now();
    if (!channel.reader || !channel.command) {
      if (nowMs - channel.startedMs >= responseTimeoutMs)
        this.failed(channel, `${who}'s shell did not respond within ${responseTimeoutMs / 1000} s; retrying.`);
      return;
    }
    // A timer may fire a ms before its second is full, and then once more.
    if (nowMs - this.pollMs < minIntervalMs) return;
    this.pollMs = nowMs;
    if (pending) {
      const waitedMs = nowMs - pending.sentMs;
      if (waitedMs >= responseTimeoutMs)
        this.failed(channel, `${who}'s host has not responded for ${Math.round(waitedMs / 1000)} s; retrying.`);
      else this.report(`${who}'s host responds slowly: it takes more than a second, so some seconds have no figures.`);
      return;
    }
    this.lastId += 1;
    this.pending = { id: this.lastId, sentMs: nowMs };
    channel.command.write(this.processList.questions(this.lastId, this.own(channel)));
    if (nowMs - channel.networkMs < structureEveryMs) return;
    channel.networkMs = nowMs;
    channel.command.write(`net ${this.lastId}\n`);
  }

  private line(channel: Channel, line: string): void {
    channel.receivedCharacters += line.length + 1;
    if (channel.receivedCharacters > maxBufferCharacters)
      return this.failed(
        channel,
        `${this.options.who}'s host sends an endless response instead of its figures; retrying.`,
      );
    if (!channel.reader) {
      // A greeting of the host's shell may precede it.
      channel.received.push(line);
      if (line !== '@ready' && !line.startsWith('@none ')) return;
      channel.facts = parseFacts(channel.received);
      channel.network = parseStructure(channel.received);
      channel.networkMs = this.options.clock.now();
      channel.received.length = 0;
      channel.receivedCharacters = 0;
      if (line === '@ready') channel.reader = new ProcReader(channel.facts);
      return;
    }
    const { pending } = this;
    if (this.topPrograms.line(line) || networkLine(channel, line)) return;
    if (line.startsWith('@sample ')) {
      const [, id, time] = line.split(' ');
      channel.received.length = 0;
      if (!pending || Number(id) !== pending.id) return;
      pending.answeredMs = this.options.clock.now();
      pending.time = time;
    } else if (line.startsWith('@found')) this.processList.line(line);
    else if (line.startsWith('@end ')) this.answered(channel);
    else channel.received.push(line);
  }

  private answered(channel: Channel): void {
    const { pending } = this;
    this.pending = undefined;
    channel.receivedCharacters = 0;
    const answer = pending?.time === undefined ? undefined : parseProcResponse(pending.time, channel.received);
    channel.received.length = 0;
    if (!pending || !answer || !channel.reader || !channel.facts || pending.answeredMs === undefined) {
      this.before = undefined;
      this.report(`${this.options.who}: its host's response is invalid; its time is "${pending?.time ?? ''}".`);
      return;
    }
    this.offset.add(pending.sentMs, pending.answeredMs, answer.remoteClockMs, Math.max(1, answer.resolutionMs));
    this.processList.answered(answer.proc, answer.openFiles);
    this.machine = fingerprint(channel.facts, answer.proc.cpu?.cores.size ?? 0, answer.proc.memoryTotalBytes ?? 0);
    const { network, diskFreeBytes } = channel;
    channel.diskFreeBytes = undefined;
    const now = { ...channel.reader.read(answer, this.own(channel)), ...(network ? { network } : {}), diskFreeBytes };
    const values = hostValues(this.before, now, 'remote');
    this.before = now;
    this.waitMs = shortestWaitMs;
    // Where they have whole seconds only, the middle between request and response is the better time.
    const timeMs =
      answer.resolutionMs > 0
        ? Math.round((pending.sentMs + pending.answeredMs) / 2)
        : this.offset.toLocal(answer.remoteClockMs);
    this.samples.emit({ timeMs, values });
    if (this.options.clock.now() - pending.sentMs < 1000) this.report(undefined);
  }
}

/** Takes a line of the response to `net`; false for any other. */
function networkLine(channel: Channel, line: string): boolean {
  if (line.startsWith('@net ')) channel.networkLines = [];
  else if (!channel.networkLines) return false;
  else if (!line.startsWith('@net-all ')) channel.networkLines.push(line);
  else {
    channel.network = parseStructure(channel.networkLines);
    channel.diskFreeBytes = parseDiskFree(channel.networkLines);
    channel.networkLines = undefined;
    channel.receivedCharacters = 0;
  }
  return true;
}
