import type { ClockView, MachineFingerprint } from '../../domain/node';
import type { ProgramShare } from '../../domain/otherLoad/otherLoad';
import { everySecond, type Clock } from '../clock';
import { Emitter } from '../emitter';
import type { SshCommand, SshLink } from '../links/ssh/sshLink';
import { BestOffset } from './bestOffset';
import { hostValues, type HostReading } from './hostRates';
import type { HostSample, HostSource } from './hostSource';
import { BeatReader, parseBeat } from './proc/beat';
import { fingerprint, parseFacts, type HostFacts } from './proc/machineFacts';
import { procScript } from './proc/procScript';
import { ServerProcesses } from './proc/serverProcesses';
import type { OwnProcesses } from './ownProcesses';
import { RemotePrograms } from './remotePrograms';

export interface SshHostOptions {
  readonly link: Pick<SshLink, 'state' | 'follow' | 'onState'>;
  /** The node's name, for sentences. */
  readonly who: string;
  readonly clock: Clock;
  /** Name of the media server's process, see `pickProcesses`. */
  readonly processName?: string;
  /** Its pid, when the server told it; when that process ends, the name is looked for. */
  readonly processPid?: number;
  /** The processes of the test on all machines; without them nothing is told of other programs. */
  readonly own?: OwnProcesses;
  /** A media server runs there: while its processes are not known, they can't be told apart from other programs. */
  readonly hasServer?: boolean;
}

export interface SshHost extends HostSource {
  programs(): Promise<readonly ProgramShare[]>;
  /** Sentence about what can't be told although figures come, e.g. that no process has the name. */
  readonly remark: string | undefined;
  /** Names the media server's process once it is known, in place of what was said before. */
  watchProcess(name: string | undefined, pid?: number): void;
}

/** A channel that does not answer for so long is given up and another one begun. */
const longestSilenceMs = 15_000;
/** Two ticks that lie closer are one. */
const shortestBeatMs = 500;
/** Far above what a machine of thousands of cores says between two questions. */
const mostHeardCharacters = 4_000_000;
const shortestWaitMs = 1000;
const longestWaitMs = 15_000;

/**
 * Figures of a host from its /proc: one channel, in which a small script answers one question a second. It needs nothing on
 * the host but a POSIX shell, leaves nothing behind, and ends with the connection. After a reconnect it begins anew.
 */
export function openSshHost(options: SshHostOptions): SshHost {
  return new ProcOverSsh(options);
}

/** One run of the script. */
interface Channel {
  command: SshCommand | undefined;
  facts: HostFacts | undefined;
  reader: BeatReader | undefined;
  /** When it was begun, by our clock. */
  readonly begunMs: number;
  readonly heard: string[];
  /** All that came since the last whole answer. */
  heardCharacters: number;
  lastError: string | undefined;
}

class ProcOverSsh implements SshHost {
  readonly label = '/proc over SSH';
  machine: MachineFingerprint | undefined;
  private readonly samples = new Emitter<HostSample>();
  private readonly problems = new Emitter<string | undefined>();
  private readonly offset = new BestOffset();
  private processes: ServerProcesses;
  private problem: string | undefined;
  private channel: Channel | undefined;
  private before: HostReading | undefined;
  /** The beat under way, by our clock. */
  private asked: { id: number; sentMs: number; answeredMs?: number; time?: string } | undefined;
  private lastId = 0;
  private beatMs = -Infinity;
  private readonly topPrograms = new RemotePrograms();
  private waitMs = shortestWaitMs;
  private cancelRetry: (() => void) | undefined;
  private isClosed = false;
  private readonly stop: ReadonlyArray<() => void>;

  constructor(private readonly options: SshHostOptions) {
    this.processes = new ServerProcesses(options.processName, options.processPid);
    this.stop = [
      options.link.onState((state, problem) => {
        if (state === 'live') this.begin();
        else if (state === 'lost') {
          this.drop();
          this.tell(
            `${options.who}: no figures of its host, since the SSH connection is lost. ${problem?.message ?? ''}`.trim(),
          );
        } else if (state === 'closed') this.close();
      }),
      everySecond(options.clock, () => this.beat()),
    ];
    if (options.link.state === 'live') this.begin();
  }

  get clock(): ClockView | undefined {
    return this.offset.view;
  }

  get machineKey(): string | undefined {
    return this.channel?.facts?.machineKey;
  }

  get remark(): string | undefined {
    return this.processes.missing === undefined
      ? undefined
      : `No process called "${this.processes.missing}" runs on ${this.options.who}.`;
  }

  watchProcess(name: string | undefined, pid?: number): void {
    this.processes = new ServerProcesses(name, pid);
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
      ours: () => [...this.processes.server, ...(own?.on(facts.machineKey) ?? [])],
    });
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.options.own?.forget(this.owner);
    for (const stop of this.stop) stop();
    this.drop();
  }

  /** In the list of the test's processes. */
  private get owner(): string {
    return `server on ${this.options.who}`;
  }

  /** Processes of the test there but the server's; undefined where they can't be told apart from other programs. */
  private own(channel: Channel): readonly number[] | undefined {
    const { own, hasServer = false } = this.options;
    const key = channel.facts?.machineKey;
    const { server } = this.processes;
    if (hasServer) own?.set(this.owner, key, server.length > 0 ? server : undefined);
    return own?.on(key)?.filter((pid) => !server.includes(pid));
  }

  private tell(sentence: string | undefined): void {
    if (sentence === this.problem || this.isClosed) return;
    this.problem = sentence;
    this.problems.emit(sentence);
  }

  private begin(): void {
    this.drop();
    const channel: Channel = {
      command: undefined,
      facts: undefined,
      reader: undefined,
      begunMs: this.options.clock.now(),
      heard: [],
      heardCharacters: 0,
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
          void command.ended.then(({ code }) => this.ended(channel, code));
        },
        (error: unknown) =>
          this.failed(
            channel,
            `${this.options.who}: its host's figures can't be read. ${error instanceof Error ? error.message : String(error)}`,
          ),
      );
  }

  /** Leaves the channel; nothing is computed across the gap. */
  private drop(): void {
    this.cancelRetry?.();
    this.cancelRetry = undefined;
    const command = this.channel?.command;
    this.topPrograms.drop();
    this.channel = undefined;
    this.asked = undefined;
    this.before = undefined;
    command?.end();
  }

  private ended(channel: Channel, code: number | null): void {
    if (this.channel !== channel) return;
    const { who } = this.options;
    const system = channel.facts?.withoutProc;
    if (system !== undefined) {
      this.drop();
      this.tell(
        `${who} runs ${system}, which has no /proc: its host's figures can't be read over SSH. Start a node_exporter there and give its address.`,
      );
      return;
    }
    if (code === 127 || (code !== 0 && !channel.facts && code !== null)) {
      this.failed(
        channel,
        `${who} has no POSIX shell to ask (sh ended with code ${code}${channel.lastError ? `: ${channel.lastError}` : ''}): its host's figures can't be read over SSH. Start a node_exporter there and give its address.`,
      );
      return;
    }
    this.failed(channel, `${who}: what reads its host's figures was ended there; it is started again.`);
  }

  private failed(channel: Channel, sentence: string): void {
    if (this.channel !== channel || this.isClosed) return;
    this.drop();
    // A lost link tells for itself and begins again by itself.
    if (this.options.link.state !== 'live') return;
    this.tell(sentence);
    this.cancelRetry = this.options.clock.after(this.waitMs, () => this.begin());
    this.waitMs = Math.min(2 * this.waitMs, longestWaitMs);
  }

  private beat(): void {
    const { channel, asked } = this;
    if (!channel) return;
    const { who, clock } = this.options;
    const nowMs = clock.now();
    if (!channel.reader || !channel.command) {
      if (nowMs - channel.begunMs >= longestSilenceMs)
        this.failed(
          channel,
          `${who}'s shell has not begun to answer within ${longestSilenceMs / 1000} s; it is asked anew.`,
        );
      return;
    }
    // A timer may fire a ms before its second is full, and then once more.
    if (nowMs - this.beatMs < shortestBeatMs) return;
    this.beatMs = nowMs;
    if (asked) {
      const silentMs = nowMs - asked.sentMs;
      if (silentMs >= longestSilenceMs)
        this.failed(
          channel,
          `${who}'s host has not answered for ${Math.round(silentMs / 1000)} s; it is asked anew.`,
        );
      else
        this.tell(
          `${who}'s host answers slowly: it takes more than a second, so seconds are missing in its figures.`,
        );
      return;
    }
    this.lastId += 1;
    this.asked = { id: this.lastId, sentMs: nowMs };
    channel.command.write(this.processes.questions(this.lastId, this.own(channel)));
  }

  private line(channel: Channel, line: string): void {
    channel.heardCharacters += line.length + 1;
    if (channel.heardCharacters > mostHeardCharacters)
      return this.failed(
        channel,
        `${this.options.who}'s host answers without an end, which can't be its figures; it is asked anew.`,
      );
    if (!channel.reader) {
      // A greeting of the host's shell may come first.
      channel.heard.push(line);
      if (line !== '@ready' && !line.startsWith('@none ')) return;
      channel.facts = parseFacts(channel.heard);
      channel.heard.length = 0;
      channel.heardCharacters = 0;
      if (line === '@ready') channel.reader = new BeatReader(channel.facts);
      return;
    }
    const { asked } = this;
    if (this.topPrograms.line(line)) return;
    if (line.startsWith('@beat ')) {
      const [, id, time] = line.split(' ');
      channel.heard.length = 0;
      if (!asked || Number(id) !== asked.id) return;
      asked.answeredMs = this.options.clock.now();
      asked.time = time;
    } else if (line.startsWith('@found')) this.processes.line(line);
    else if (line.startsWith('@end ')) this.answered(channel);
    else channel.heard.push(line);
  }

  private answered(channel: Channel): void {
    const { asked } = this;
    this.asked = undefined;
    channel.heardCharacters = 0;
    const answer = asked?.time === undefined ? undefined : parseBeat(asked.time, channel.heard);
    channel.heard.length = 0;
    if (!asked || !answer || !channel.reader || !channel.facts || asked.answeredMs === undefined) {
      this.before = undefined;
      this.tell(
        `${this.options.who}: its host's answer was not understood; its clock says "${asked?.time ?? ''}".`,
      );
      return;
    }
    this.offset.add(asked.sentMs, asked.answeredMs, answer.theirMs, Math.max(1, answer.resolutionMs));
    this.processes.answered(answer.proc, answer.openFiles);
    this.machine = fingerprint(
      channel.facts,
      answer.proc.cpu?.cores.size ?? 0,
      answer.proc.memoryTotalBytes ?? 0,
    );
    const now = channel.reader.read(answer, this.own(channel));
    const values = hostValues(this.before, now, 'remote');
    this.before = now;
    this.waitMs = shortestWaitMs;
    // Where they tell whole seconds only, the middle between question and answer is the better time.
    const timeMs =
      answer.resolutionMs > 0
        ? Math.round((asked.sentMs + asked.answeredMs) / 2)
        : this.offset.toOurs(answer.theirMs);
    this.samples.emit({ timeMs, values });
    if (this.options.clock.now() - asked.sentMs < 1000) this.tell(undefined);
  }
}
