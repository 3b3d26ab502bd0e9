/** A process of the server. */
export interface ServerProcess {
  readonly pid: number;
  /** Its program and arguments. */
  readonly words: readonly string[];
  /** `/proc/PID/limits`; empty where it may not be read. */
  readonly limits: string;
  /** Path of its program; absent for processes of other users. */
  readonly program?: string;
  readonly folder?: string;
  /** Those variables of its environment that are settings of SRS; absent where it may not be read. */
  readonly environment?: Readonly<Record<string, string>>;
}
