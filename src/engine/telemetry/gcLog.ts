import type { ClockView } from '../../domain/model/node';
import { everySecond, type Clock } from '../base/clock';
import { Emitter } from '../base/emitter';
import type { SshCommand, SshLink } from '../links/ssh/sshLink';
import { collectorOf, isGcLog, parseGcLine, type Collector } from './gc/gcLine';
import { foreignGcLog, unwrapLine, type ForeignGcLog, type UnwrappedLine } from './gc/logWrapper';
import { gcLogScript, isPattern, newestLogScript } from './gc/gcLogScript';
import { type GcPause, GcTime, longestPerSecond } from './gc/gcTime';
import type { HostSample } from './hostSource';
import { errorText } from '../../domain/text/errorText';

export type { GcPause } from './gc/gcTime';

export interface GcLogOptions {
  readonly link: Pick<SshLink, 'state' | 'run' | 'follow' | 'onState'>;
  /** Path of the log on the host; `~/` and patterns such as `gc-*.log` are expanded there. */
  readonly path: string;
  /** The node's name, for messages. */
  readonly who: string;
  readonly clock: Clock;
  /** The host's clock where it is measured; without it lines have their receive time. */
  readonly remoteClock?: () => ClockView | undefined;
}

/** GC pauses from a JVM's log. Reconnects until it is closed. */
export interface GcLog {
  /** e.g. `GC log over SSH (ZGC)`. */
  readonly label: string;
  /** Why nothing is known of pauses: a sentence as long as no line of a garbage collector was read. */
  readonly silence: string | undefined;
  /** Each pause and stall as it is read. */
  onPause(listener: (pause: GcPause) => void): () => void;
  /** `gcPauseMs`, the longest of a second that had one, and `server:gc_stall_ms` likewise. */
  onSample(listener: (sample: HostSample) => void): () => void;
  /** A sentence when the log can't be followed or has no pauses, undefined when it recovers. */
  onProblem(listener: (sentence: string | undefined) => void): () => void;
  close(): void;
}

/** This many lines without one of a collector: it is another log. */
const unreadableLines = 50;
const maxLineCharacters = 4000;
const unified = '-Xlog:gc*:file=PATH:time,uptime,level,tags';
const shortestWaitMs = 1000;
const longestWaitMs = 15_000;
/** This many collections without a pause: pauses are not logged. */
const collectionsWithoutPause = 3;
/** A restarted JVM may write another file that matches the pattern; checked after this time without a line. */
const checkIntervalMs = 20_000;

/** The script sends fewer lines of the log's start; a host may print anything. */
const maxHeadLines = 1000;
const maxPausesPerSecond = 10_000;

/** Follows a JVM's GC log (`-Xlog:gc*`) over SSH, from its current end on. */
export function followGcLog(options: GcLogOptions): GcLog {
  return new FollowedGcLog(options);
}

class FollowedGcLog implements GcLog {
  private readonly pauses = new Emitter<GcPause>();
  private readonly samples = new Emitter<HostSample>();
  private readonly problems = new Emitter<string | undefined>();
  private readonly times: GcTime;
  private collector: Collector | undefined;
  private collected: GcPause[] = [];
  private head: string[] = [];
  private path: string;
  private isFollowing = false;
  /** When the last line was received, or was due. */
  private receivedMs = 0;
  /** A line of a garbage collector was read. */
  private hasRead = false;
  private unreadable = 0;
  private part = '';
  private collections = 0;
  private hasPauses = false;
  private problem: string | undefined;
  /** The current command; output of earlier ones is ignored. */
  private current: { command?: SshCommand } | undefined;
  private waitMs = shortestWaitMs;
  private cancelRetry: (() => void) | undefined;
  private isClosed = false;
  private readonly stop: ReadonlyArray<() => void>;

  constructor(private readonly options: GcLogOptions) {
    this.path = options.path;
    this.times = new GcTime(options.remoteClock ?? (() => undefined));
    this.stop = [
      options.link.onState((state, problem) => {
        if (state === 'live') this.start();
        else if (state === 'lost') {
          this.drop();
          this.report(
            `${options.who}: its GC log can't be followed: SSH connection lost. ${problem?.message ?? ''}`.trim(),
          );
        } else if (state === 'closed') this.close();
      }),
      everySecond(options.clock, (nowMs) => {
        this.flush();
        if (isPattern(options.path) && this.isFollowing && nowMs - this.receivedMs >= checkIntervalMs)
          this.checkForNewer(nowMs);
      }),
    ];
    if (options.link.state === 'live') this.start();
  }

  get label(): string {
    return this.collector ? `GC log over SSH (${this.collector})` : 'GC log over SSH';
  }

  get silence(): string | undefined {
    if (this.hasRead) return undefined;
    const { who } = this.options;
    return (
      this.problem ??
      (this.isFollowing
        ? `${who}: no line was written to ${this.path} since it is followed; check that its JVM writes there.`
        : `${who}: its GC log ${this.path} is not followed yet; it needs SSH.`)
    );
  }

  onPause: GcLog['onPause'] = (listener) => this.pauses.on(listener);
  onSample: GcLog['onSample'] = (listener) => this.samples.on(listener);
  onProblem: GcLog['onProblem'] = (listener) => this.problems.on(listener);

  close(): void {
    if (this.isClosed) return;
    this.flush();
    this.isClosed = true;
    for (const stop of this.stop) stop();
    this.drop();
  }

  private report(sentence: string | undefined): void {
    if (sentence === this.problem || this.isClosed) return;
    this.problem = sentence;
    this.problems.emit(sentence);
  }

  private start(): void {
    this.drop();
    const own: { command?: SshCommand } = {};
    this.current = own;
    this.isFollowing = false;
    this.head = [];
    const { link, path, who } = this.options;
    link
      .follow(['sh', '-c', gcLogScript, 'gc-log', path], {
        line: (line) => {
          if (this.current === own) this.line(line);
        },
      })
      .then(
        (command) => {
          if (this.current !== own) return command.end();
          own.command = command;
          void command.ended.then(({ code, stderr, notStarted }) => {
            if (this.current !== own) return;
            if (notStarted !== undefined) return this.retry(notStarted);
            const why = stderr.trim() || (code === 127 ? 'no POSIX shell or no tail' : `code ${code}`);
            this.retry(`${who}: the command that follows ${this.path} ended (${why}) and is restarted.`);
          });
        },
        (error: unknown) => {
          if (this.current !== own) return;
          const why = errorText(error);
          this.retry(`${who}: its GC log can't be followed. ${why}`);
        },
      );
  }

  private retry(sentence: string): void {
    this.drop();
    if (this.options.link.state !== 'live') return;
    this.report(sentence);
    this.cancelRetry = this.options.clock.after(this.waitMs, () => this.start());
    this.waitMs = Math.min(2 * this.waitMs, longestWaitMs);
  }

  private drop(): void {
    this.cancelRetry?.();
    this.cancelRetry = undefined;
    const { command } = this.current ?? {};
    this.current = undefined;
    command?.end();
  }

  private flush(): void {
    if (this.collected.length === 0) return;
    for (const sample of longestPerSecond(this.collected.splice(0))) this.samples.emit(sample);
  }

  private line(line: string): void {
    if (this.isFollowing) return this.logLine(line);
    if (line.startsWith('@file ')) this.path = line.slice('@file '.length);
    else if (line.startsWith('@head ')) this.headLine(line.slice('@head '.length));
    else if (line === '@follow') this.followed();
    else if (line.startsWith('@missing ') || line.startsWith('@unreadable ')) this.report(this.absent(line));
  }

  private absent(line: string): string {
    const { who } = this.options;
    const [word, user] = line.split(' ');
    return word === '@missing'
      ? `${who}: ${user} finds no file ${this.path}; start its JVM with -Xlog:gc*:file=${this.path}:time,uptime,level,tags, or correct the path in the node's settings.`
      : `${who}: ${user} has no permission to read ${this.path}; make the file readable for that user (chmod o+r, or the file's group).`;
  }

  private headLine(line: string): void {
    if (this.head.length < maxHeadLines) this.head.push(line);
    this.hasRead ||= isGcLog(line);
    const parsed = parseGcLine(line);
    if (parsed?.kind === 'collector') this.collector = parsed.collector;
    if (parsed?.kind === 'pause') this.collector ??= collectorOf(parsed.what);
  }

  private followed(): void {
    this.isFollowing = true;
    this.receivedMs = this.options.clock.now();
    this.collections = 0;
    const foreign = this.head.map(foreignGcLog).find((found) => found !== undefined);
    if (this.head.some(isGcLog)) this.report(undefined);
    else if (foreign) this.reportForeign(foreign);
    else if (this.head.length > 5) this.reportOther();
    this.head = [];
  }

  private reportForeign(kind: ForeignGcLog): void {
    const { who } = this.options;
    this.report(
      kind === 'Java 8'
        ? `${who}: ${this.path} is the GC log of Java 8 (-XX:+PrintGCDetails), whose pauses are not read; Java 9 or newer writes one that is, with ${unified}.`
        : `${who}: ${this.path} is the verbose GC log of OpenJ9 (XML), whose pauses are not read; a HotSpot JVM of Java 9 or newer writes one that is, with ${unified}.`,
    );
  }

  private reportOther(): void {
    this.report(
      `${this.options.who}: ${this.path} is not a GC log of a JVM; Java 9 or newer writes one with ${unified}.`,
    );
  }

  /** A line that is none of a collector: what it is, unless such lines were read before. */
  private otherLine(line: string): void {
    if (this.hasRead) return;
    const foreign = foreignGcLog(line);
    this.unreadable += 1;
    if (foreign) this.reportForeign(foreign);
    else if (this.unreadable >= unreadableLines && this.problem === undefined) this.reportOther();
  }

  private checkForNewer(nowMs: number): void {
    this.receivedMs = nowMs;
    const own = this.current;
    const { link, path } = this.options;
    link.run(['sh', '-c', newestLogScript, 'gc-log', path]).then(
      ({ code, stdout }) => {
        if (code === 0 && own === this.current && stdout !== this.path) this.start();
      },
      () => undefined, // failures are reported by the command that follows the file
    );
  }

  private logLine(line: string): void {
    this.receivedMs = this.options.clock.now();
    const { text, isPartial } = this.part === '' ? unwrapPart(line) : continued(this.part, line);
    this.part = isPartial ? text.slice(0, maxLineCharacters) : '';
    if (isPartial) return;
    const parsed = parseGcLine(text);
    if (!this.hasRead && (parsed !== undefined || isGcLog(text))) {
      this.hasRead = true;
      if (parsed === undefined) this.report(undefined);
    }
    if (!parsed) return this.otherLine(text);
    this.waitMs = shortestWaitMs;
    if (parsed.kind === 'collector') {
      // Another JVM has started to write here.
      this.collector = parsed.collector;
      this.collections = 0;
      this.hasPauses = false;
    } else if (parsed.kind === 'collection') this.withoutPause();
    else this.paused(parsed);
  }

  private paused(line: {
    kind: 'pause' | 'stall';
    what: string;
    pauseMs: number;
    time: Parameters<GcTime['timeOf']>[0];
  }): void {
    const pause: GcPause = {
      timeMs: this.times.timeOf(line.time, this.options.clock.now()),
      pauseMs: line.pauseMs,
      kind: line.kind === 'stall' ? 'stall' : line.what,
    };
    if (line.kind === 'pause') {
      this.collector ??= collectorOf(line.what);
      this.hasPauses = true;
    }
    this.report(undefined);
    if (this.collected.length < maxPausesPerSecond) this.collected.push(pause);
    this.pauses.emit(pause);
  }

  private withoutPause(): void {
    this.collections += 1;
    if (this.hasPauses || this.collections < collectionsWithoutPause) return;
    this.report(
      `${this.options.who}: ${this.path} contains collections but no pauses; start its JVM with -Xlog:gc* instead of -Xlog:gc.`,
    );
  }
}

/** A line as it is, unless a runtime wrote only a part of it. */
function unwrapPart(line: string): UnwrappedLine {
  // Costs a little for each line, so not for those that can't be one.
  if (!/ std(out|err) P[ :]/.test(line) && !(line.startsWith('{"log":') && !line.includes('\\n"')))
    return { text: line };
  const { text, isPartial = false } = unwrapLine(line);
  return isPartial ? { text, isPartial } : { text: line };
}

function continued(part: string, line: string): UnwrappedLine {
  const { text, isPartial = false } = unwrapLine(line);
  return { text: part + text, isPartial };
}
