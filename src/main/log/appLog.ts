import { isLogged, type LogLevel } from '../../domain/model/logLevel';
import { SecretMask } from '../../domain/secrets/secretMask';
import { visible } from '../../domain/text/visibleText';

/** Part of the app that has written an entry. */
export type LogSource = 'main' | 'engine' | 'window' | 'updates';

/** Where lines are kept; `RotatingFile` on disk. */
export interface LogFile {
  append(text: string): void;
  lastLines(count: number): string[];
}

/**
 * The log of the app: one line per entry, `TIME LEVEL SOURCE TEXT`, with the secrets that this process knows masked.
 * Those that only the engine knows are masked before they leave it.
 */
export class AppLog {
  readonly mask = new SecretMask();

  constructor(
    private readonly file: LogFile,
    public limit: LogLevel,
    private readonly nowMs: () => number = Date.now,
  ) {}

  add(level: LogLevel, source: LogSource, text: string): void {
    if (!isLogged(level, this.limit)) return;
    // Texts of servers and pages must not forge entries or control a terminal.
    const [first = '', ...more] = this.mask.text(text).trimEnd().split(/\r?\n/).map(visible);
    const time = new Date(this.nowMs()).toISOString();
    const further = more.map((line) => `    ${line}\n`).join('');
    this.file.append(`${time} ${level.padEnd(5)} ${source.padEnd(7)} ${first}\n${further}`);
  }

  /** The last lines, without secrets that became known only after they were written. */
  lastLines(count: number): string[] {
    return this.file.lastLines(count).map((line) => this.mask.text(line));
  }
}
