/** Where the token of each viewer of an audience comes from: exactly one of `file`, `template`, `command` and `secret`. */
export interface PlanTokens {
  /** Path of a list on the console's machine, one token per line. */
  readonly file?: string;
  /** A text in which `{n}` is the number of the viewer, from 1. */
  readonly template?: string;
  /** A program on the console's machine, with its arguments, that writes one token per line. */
  readonly command?: readonly [string, ...string[]];
  /** Reference to the secret with which JSON Web Tokens are signed (HS256). */
  readonly secret?: string;
  /** Claims of these tokens as a JSON object; `{n}` in texts is the number of the viewer. */
  readonly claims?: string;
}

/** Stands for a viewer's token in the address of an origin, and in headers. */
export const tokenPlaceholder = '{token}';
export const defaultClaims = '{"sub":"viewer-{n}"}';
