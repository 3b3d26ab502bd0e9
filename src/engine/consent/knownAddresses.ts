import { existsSync, readFileSync } from 'node:fs';
import { BackgroundFile } from '../base/backgroundFile';

/** The oldest are forgotten first. */
const maxKnown = 5000;
const maxLength = 2000;

/** Addresses that the person has allowed plans to contact, in a file with one a line; without a path while we run. */
export class KnownAddresses {
  private readonly all: Set<string>;
  private readonly file: BackgroundFile | undefined;

  constructor(
    private readonly path: string | undefined,
    private readonly problem: (sentence: string) => void,
    /** What its lines are, for messages. */
    private readonly what = 'addresses',
  ) {
    this.all = new Set(this.read());
    if (path !== undefined)
      this.file = new BackgroundFile(path, (why) =>
        problem(`The allowed ${what} could not be saved to ${path}: ${why}.`),
      );
  }

  has(address: string): boolean {
    return this.all.has(address);
  }

  /** Addresses with line ends or of unusual length are allowed once only. */
  add(addresses: readonly string[]): void {
    const added = addresses.filter(
      (address) => !this.all.has(address) && address.length <= maxLength && !/[\r\n]/.test(address),
    );
    if (added.length === 0) return;
    for (const address of added) this.all.add(address);
    this.save();
  }

  /** Forgets all others. */
  keep(addresses: ReadonlySet<string>): void {
    const left = [...this.all].filter((address) => !addresses.has(address));
    if (left.length === 0) return;
    for (const address of left) this.all.delete(address);
    this.save();
  }

  private save(): void {
    this.file?.save(`${[...this.all].slice(-maxKnown).join('\n')}\n`);
  }

  private read(): readonly string[] {
    if (this.path === undefined || !existsSync(this.path)) return [];
    try {
      const lines = readFileSync(this.path, 'utf8').split('\n');
      return lines
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .slice(-maxKnown);
    } catch (error) {
      this.problem(`The allowed ${this.what} in ${this.path} can't be read: ${(error as Error).message}.`);
      return [];
    }
  }

  /** Resolves when all are saved, or that has failed. */
  async whenSaved(): Promise<void> {
    await this.file?.whenSaved();
  }
}
