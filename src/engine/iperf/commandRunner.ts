import type { SshCommand, SshLink, SshResult } from '../links/ssh/sshLink';

export type CommandResult = SshResult;
export type RunningCommand = SshCommand;

/** Where programs are run: this machine, or a host over SSH. */
export interface CommandRunner {
  /** The node's name, for sentences. */
  readonly who: string;
  readonly run: SshLink['run'];
  /** As the link's, but `end` also ends the program, whatever it does with its standard input. */
  readonly follow: SshLink['follow'];
}
