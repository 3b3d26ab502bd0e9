import type { ProcText } from '../procParse';
import { parseFound, pickProcesses, type ProcessCandidate } from './processPick';

/** A process of a host: another start time with the same pid is another process. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: number;
}

/** Scanning all processes costs the host a few ms, so it is not done each second. */
const searchEvery = 10;
const maxProcesses = 64;
/** Counting this many files costs the host's CPU too; then it is done at every fifth reading. */
const manyFiles = 4000;
const countManyEvery = 5;

/** Finds the media server's processes: the given pids, or those of its name, searched again when they are gone. */
export class ServerProcesses {
  private startTicks = new Map<number, number>();
  private pids: readonly number[];
  private candidates: ProcessCandidate[] = [];
  private polls = 0;
  private searchedAt: number | undefined;
  private hasSearched = false;
  private peakFiles = 0;

  constructor(
    private readonly name: string | undefined,
    pid: number | undefined,
  ) {
    this.pids = pid === undefined ? [] : [pid];
  }

  /** The name that was searched and not found. */
  get missing(): string | undefined {
    return this.pids.length === 0 && this.hasSearched ? this.name : undefined;
  }

  /** Which of the requested processes are the server's. */
  get server(): readonly number[] {
    return this.pids;
  }

  /** Those seen in the latest reading, with their start times. */
  get identities(): readonly ProcessIdentity[] {
    return [...this.startTicks]
      .filter(([pid]) => this.pids.includes(pid))
      .map(([pid, startedAt]) => ({ pid, startedAt }));
  }

  /** The arguments of the next `sample` request; `own` are further processes of the test on this host. */
  questions(id: number, own: readonly number[] = []): string {
    this.polls += 1;
    const isCounting = this.peakFiles < manyFiles || this.polls % countManyEvery === 0;
    const others = own.filter((pid) => !this.pids.includes(pid));
    const ours = others.length > 0 ? ` own ${others.join(' ')}` : '';
    const request = `sample ${id} ${isCounting ? 'files' : 'plain'} ${this.pids.join(' ')}`.trimEnd() + ours;
    const { name } = this;
    const isDue = this.searchedAt === undefined || this.polls - this.searchedAt >= searchEvery;
    if (this.pids.length > 0 || name === undefined || !isDue) return `${request}\n`;
    this.searchedAt = this.polls;
    this.candidates = [];
    return `${request}\nfind ${id} ${name.replace(/[\r\n]/g, ' ')}\n`;
  }

  /** A line outside of a reading. */
  line(line: string): void {
    if (line.startsWith('@found-all')) {
      if (this.name !== undefined) this.pids = pickProcesses(this.name, this.candidates).slice(0, maxProcesses);
      this.candidates = [];
      this.hasSearched = true;
      return;
    }
    const candidate = parseFound(line);
    if (candidate) this.candidates.push(candidate);
  }

  /** Forgets processes that ended; a reused pid is another process. */
  answered(proc: ProcText, openFiles: ReadonlyMap<number, number>): void {
    const current = proc.processStats.filter(({ pid }) => this.pids.length === 0 || this.pids.includes(pid));
    const alive = current.filter(({ pid, startTicks }) => {
      const known = this.startTicks.get(pid);
      return known === undefined || known === startTicks;
    });
    this.startTicks = new Map(alive.map(({ pid, startTicks }) => [pid, startTicks]));
    // A first reading may be answered before the search is complete.
    if (this.pids.length > 0) this.pids = alive.map(({ pid }) => pid);
    if (openFiles.size > 0) this.peakFiles = Math.max(...openFiles.values());
  }
}
