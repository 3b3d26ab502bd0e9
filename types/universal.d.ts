/** What Node.js and browsers both have; `domain` and `contract` compile against this and the language alone. */
declare const console: { error(...data: unknown[]): void };

/** A file that was dropped on the window; only its name is known to both. */
interface File {
  readonly name: string;
}
