import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface RotationLimits {
  /** A file that has reached this size is renamed. */
  readonly maxBytes: number;
  /** Number of renamed files that are kept: `fullhouse.1.log` is the latest. */
  readonly older: number;
}

/**
 * A text file of limited size. Lines are appended synchronously: those before a crash are on disk. Failures are counted
 * and otherwise ignored, since a full disk must not end the app.
 */
export class RotatingFile {
  failures = 0;
  #bytes: number | undefined;

  constructor(
    readonly path: string,
    private readonly limits: RotationLimits,
  ) {}

  append(text: string): void {
    try {
      this.#bytes ??= this.#begin();
      if (this.#bytes >= this.limits.maxBytes) this.#rotate();
      // Only the user may read what servers have answered.
      appendFileSync(this.path, text, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(text);
    } catch {
      this.failures += 1;
      this.#bytes = undefined;
    }
  }

  /** The last lines, also from older files if the current one has fewer. */
  lastLines(count: number): string[] {
    let lines: string[] = [];
    for (let age = 0; age <= this.limits.older && lines.length < count; age += 1)
      lines = [...linesOf(this.#named(age)), ...lines];
    return lines.slice(-count);
  }

  #begin(): number {
    mkdirSync(dirname(this.path), { recursive: true });
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  #rotate(): void {
    rmSync(this.#named(this.limits.older), { force: true });
    for (let age = this.limits.older - 1; age >= 0; age -= 1)
      if (statSync(this.#named(age), { throwIfNoEntry: false })) renameSync(this.#named(age), this.#named(age + 1));
    this.#bytes = 0;
  }

  #named(age: number): string {
    return age === 0 ? this.path : this.path.replace(/(\.\w+)?$/, `.${age}$1`);
  }
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}
