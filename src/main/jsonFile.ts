import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';

/**
 * A small JSON file with a schema. Read once; written atomically with a second file, so that a crash never leaves a
 * partial one. An invalid file is moved aside and reported, never overwritten.
 */
export class JsonFile<Schema extends z.ZodType> {
  #value: z.output<Schema>;

  constructor(
    private readonly path: string,
    private readonly schema: Schema,
    fallback: z.output<Schema>,
    onProblem: (sentence: string) => void,
  ) {
    this.#value = fallback;
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(`${path} could not be read: ${String(error)}`);
      return;
    }
    try {
      this.#value = schema.parse(JSON.parse(text));
    } catch {
      const aside = `${path}.damaged`;
      renameSync(path, aside);
      onProblem(`${path} is invalid, so defaults are used; the old file was moved to ${aside}.`);
    }
  }

  get value(): z.output<Schema> {
    return this.#value;
  }

  /** Throws when the value is invalid or can't be written. */
  write(value: z.output<Schema>): void {
    this.#value = this.schema.parse(value);
    mkdirSync(dirname(this.path), { recursive: true });
    const next = `${this.path}.next`;
    writeFileSync(next, `${JSON.stringify(this.#value, null, 2)}\n`);
    renameSync(next, this.path);
  }
}
