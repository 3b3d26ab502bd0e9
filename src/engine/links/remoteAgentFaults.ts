import { FullhouseError } from '../../contract/calls';
import { crashFix, crashReason } from './agentCrash';
import type { SshResult } from './ssh/sshLink';

/** The fix for an unusable home folder: the agent's folder follows XDG_CACHE_HOME. */
const otherFolder = 'set XDG_CACHE_HOME of its user to another folder';

/** Throws when a command has no result of its own: the link broke, or no process can be started there. */
export function requireResult(who: string, { code, signal, stderr }: SshResult): void {
  if (code === null && signal === undefined)
    throw new FullhouseError(
      'link-lost',
      `The SSH connection to ${who} broke during a command for its agent; try again.`,
    );
  if (code !== 0 && /cannot fork|resource temporarily unavailable|cannot allocate memory/i.test(stderr))
    throw new FullhouseError(
      'no-process',
      `${who} can't start another process: its user reached the process limit, or the machine is out of memory. End some processes there, or raise the limit (ulimit -u).`,
    );
}

/**
 * Why the agent's folder can't be created, by the output of `mkdir`; `missingHome` is a home folder that does not
 * exist.
 */
export function folderFault(who: string, folder: string, stderr: string, missingHome?: string): FullhouseError {
  const [why, fix] = folderProblem(stderr, missingHome);
  return new FullhouseError('no-home', `${who} has no folder for the agent: can't create ${folder}: ${why}. ${fix}`);
}

function folderProblem(stderr: string, missingHome: string | undefined): readonly [string, string] {
  const other = `${otherFolder.charAt(0).toUpperCase()}${otherFolder.slice(1)}.`;
  if (/No space left|Disk quota exceeded/i.test(stderr)) return ['the disk is full', 'Free some space there.'];
  if (/Read-only file system/i.test(stderr))
    return ['its file system is mounted read-only', `Remount it read-write, or ${otherFolder}.`];
  if (/File exists|Not a directory/i.test(stderr))
    return ['a file of that name exists', `Remove it, or ${otherFolder}.`];
  if (missingHome !== undefined)
    return [`its user's home folder ${missingHome} does not exist`, 'Create it, owned by that user.'];
  if (/Permission denied|Operation not permitted/i.test(stderr))
    return ['its user may not write there', `Give that user its own home folder, or ${otherFolder}.`];
  return [`${lastLine(stderr) || 'the system gives no reason'}`, other];
}

/** Why the agent failed to start; `noexec` is the noexec mount of the agent's folder, if any. */
export function startFault(
  who: string,
  program: string,
  { code, signal, stderr }: SshResult,
  noexec: string | undefined,
): FullhouseError {
  const fault = (sentence: string): FullhouseError => new FullhouseError('no-agent', sentence);
  if (noexec !== undefined)
    return fault(
      `${who} can't run the agent: ${noexec} with its user's home folder is mounted noexec. Remount it without noexec, or ${otherFolder}.`,
    );
  if (isNotExecutable({ code, stderr }))
    return fault(
      `${who} can't run the agent: its user may not execute ${program}. Ask its administrator for a folder that allows executables, and ${otherFolder}.`,
    );
  const [crash] = stderr.split('\n').flatMap((line) => crashReason(line) ?? []);
  if (crash !== undefined) return fault(`The agent failed to start on ${who} (${crash}): ${crashFix(crash)}`);
  if (signal !== undefined)
    return fault(
      `The agent failed to start on ${who}: the system ended it with SIG${signal.replace(/^SIG/, '')}, usually because memory ran out. Free some memory there and try again.`,
    );
  const reason = lastLine(stderr).replace(/choose (?:a|another) folder[^,;]* with --state-dir/g, otherFolder);
  return fault(
    `The agent failed to start on ${who}: ${reason.replace(/\.$/, '') || `exit code ${code ?? 'none'}, no output`}.`,
  );
}

/** How an agent ended. */
export interface RemoteAgentEnd {
  /** The last line of its log; empty without one. */
  readonly lastLogLine: string;
  /** As intended: it was stopped, or no console had connected for long. */
  readonly isOrderly: boolean;
}

/** Reports the end of an agent, by the last line of its log. */
export function agentEndMessage(who: string, { lastLogLine, isOrderly }: RemoteAgentEnd): string {
  const lastLog = lastLogLine.replace(/^[\d/]+ [\d:.]+ /, '').trim();
  // A Go crash ends with a source location, which does not help the user; a killed agent has only logged its start.
  const why = isOrderly
    ? 'was stopped'
    : /\.go:\d+|\b0x[0-9a-f]+$|^goroutine /.test(lastLog)
      ? 'crashed (details in agent.log in its home folder)'
      : lastLog === '' || / listens at \S+$/.test(lastLog.replace(/\.$/, ''))
        ? 'has ended without a message, as when killed'
        : `has ended (${lastLog.replace(/\.$/, '')})`;
  return `The agent on ${who} ${why}; start again to restart it.`;
}

/** Whether the shell, and not the agent, reported that execution is not permitted. */
export function isNotExecutable({ code, stderr }: Pick<SshResult, 'code' | 'stderr'>): boolean {
  return code === 126 || (code !== 2 && /permission denied/i.test(lastLine(stderr)));
}

/** The last non-empty line. */
export function lastLine(text: string): string {
  return text.trim().split('\n').pop()?.trim() ?? '';
}
