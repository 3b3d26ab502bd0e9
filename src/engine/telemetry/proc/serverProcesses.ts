import type { ProcText } from '../procParse';
import { parseFound, pickProcesses, type ProcessCandidate } from './processPick';

/** Looking through all processes costs the host a few ms, so it is not done each second. */
const lookEveryBeats = 10;
const mostProcesses = 64;
/** Counting so many files takes the host's CPU too; then it is done each fifth beat. */
const manyFiles = 4000;
const countManyEveryBeats = 5;

/** Which processes are the media server's: those that were told, or those of its name, looked for again when they are gone. */
export class ServerProcesses {
  private startTicks = new Map<number, number>();
  private pids: readonly number[];
  private candidates: ProcessCandidate[] = [];
  private beats = 0;
  private lookedAt: number | undefined;
  private hasLooked = false;
  private mostFiles = 0;

  constructor(
    private readonly name: string | undefined,
    pid: number | undefined,
  ) {
    this.pids = pid === undefined ? [] : [pid];
  }

  /** The name that was looked for and not found. */
  get missing(): string | undefined {
    return this.pids.length === 0 && this.hasLooked ? this.name : undefined;
  }

  /** Of the processes that were asked for, those that are the server's. */
  get server(): readonly number[] {
    return this.pids;
  }

  /** What to ask in the next beat, after the word `beat`; `own` are further processes of the test on this host. */
  questions(id: number, own: readonly number[] = []): string {
    this.beats += 1;
    const isCounting = this.mostFiles < manyFiles || this.beats % countManyEveryBeats === 0;
    const others = own.filter((pid) => !this.pids.includes(pid));
    const ours = others.length > 0 ? ` own ${others.join(' ')}` : '';
    const beat = `beat ${id} ${isCounting ? 'files' : 'plain'} ${this.pids.join(' ')}`.trimEnd() + ours;
    const { name } = this;
    const isDue = this.lookedAt === undefined || this.beats - this.lookedAt >= lookEveryBeats;
    if (this.pids.length > 0 || name === undefined || !isDue) return `${beat}\n`;
    this.lookedAt = this.beats;
    this.candidates = [];
    return `${beat}\nfind ${id} ${name.replace(/[\r\n]/g, ' ')}\n`;
  }

  /** A line that is not a beat's. */
  line(line: string): void {
    if (line.startsWith('@found-all')) {
      if (this.name !== undefined)
        this.pids = pickProcesses(this.name, this.candidates).slice(0, mostProcesses);
      this.candidates = [];
      this.hasLooked = true;
      return;
    }
    const candidate = parseFound(line);
    if (candidate) this.candidates.push(candidate);
  }

  /** Forgets processes that ended; one that began under an old pid is somebody else's. */
  answered(proc: ProcText, openFiles: ReadonlyMap<number, number>): void {
    const mine = proc.processStats.filter(({ pid }) => this.pids.length === 0 || this.pids.includes(pid));
    const alive = mine.filter(({ pid, startTicks }) => {
      const known = this.startTicks.get(pid);
      return known === undefined || known === startTicks;
    });
    this.startTicks = new Map(alive.map(({ pid, startTicks }) => [pid, startTicks]));
    // A first beat may be answered before what it asked for was found.
    if (this.pids.length > 0) this.pids = alive.map(({ pid }) => pid);
    if (openFiles.size > 0) this.mostFiles = Math.max(...openFiles.values());
  }
}
