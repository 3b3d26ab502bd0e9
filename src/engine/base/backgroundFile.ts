import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorText } from '../../domain/text/errorText';

/**
 * A small file of this console that is replaced as a whole. It is written in the background, one version at a time: the
 * process that serves a run waits for no disk.
 */
export class BackgroundFile {
  private last: Promise<void> = Promise.resolve();
  /** The latest version that is not being written yet. */
  private next: string | undefined;

  constructor(
    private readonly path: string,
    /** Receives why it can't be saved. */
    private readonly problem: (reason: string) => void,
  ) {}

  /** `aside`: first, an existing file gets this name. */
  save(text: string, aside?: string): void {
    const isWaiting = this.next !== undefined;
    this.next = text;
    if (!isWaiting) this.last = this.last.then(() => this.write(aside));
  }

  /** Resolves when the latest version is saved, or that has failed. */
  whenSaved(): Promise<void> {
    return this.last;
  }

  private async write(aside: string | undefined): Promise<void> {
    const { path, next = '' } = this;
    this.next = undefined;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      if (aside !== undefined) await rename(path, aside);
      // Atomic: a truncated file would lose all of it.
      await writeFile(`${path}.new`, next, { mode: 0o600 });
      await rename(`${path}.new`, path);
    } catch (error) {
      this.problem(errorText(error));
    }
  }
}
