/** Common APIs of Node.js and browsers; `domain` and `contract` compile against these and the language only. */
declare const console: { error(...data: unknown[]): void };

/** A file dropped on the window; only its name is common to both. */
interface File {
  readonly name: string;
}
