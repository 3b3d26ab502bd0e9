import type { SshCommand, SshLink, SshResult } from '../links/ssh/sshLink';

export type CommandResult = SshResult;
export type RunningCommand = SshCommand;

/** Where programs run: this machine, or a host over SSH. */
export interface CommandRunner {
  /** The node's name, for messages. */
  readonly who: string;
  readonly run: SshLink['run'];
  readonly follow: SshLink['follow'];
  /** Programs are our child processes: `end` always ends them, and there may be no POSIX shell (Windows). */
  readonly isLocal?: boolean;
}
