import { FullhouseError } from '../../contract/calls';
import type { SshResult } from './ssh/sshLink';

/** What a person can do about a home that can't be used; the agent's folder follows XDG_CACHE_HOME. */
const elsewhere = 'set XDG_CACHE_HOME of its user to a folder elsewhere';

/** Throws when a command's end says nothing about what was asked: the link broke under it, or no program can be started there. */
export function checkRan(who: string, { code, signal, stderr }: SshResult): void {
  if (code === null && signal === undefined)
    throw new FullhouseError(
      'link-lost',
      `The SSH connection to ${who} broke while its agent was seen to; try again.`,
    );
  if (code !== 0 && /cannot fork|resource temporarily unavailable|cannot allocate memory/i.test(stderr))
    throw new FullhouseError(
      'no-process',
      `${who} starts no further program: its user is at its limit of processes, or the machine is out of memory. End some there, or raise the limit (ulimit -u).`,
    );
}

/** Why the agent's folder can't be made, by what `mkdir` said; `missingHome` is a home folder that does not exist. */
export function folderFault(
  who: string,
  folder: string,
  stderr: string,
  missingHome?: string,
): FullhouseError {
  const [why, remedy] = folderTrouble(stderr, missingHome);
  return new FullhouseError(
    'no-home',
    `${who} has no place for the agent: ${folder} can't be made, ${why}. ${remedy}`,
  );
}

function folderTrouble(stderr: string, missingHome: string | undefined): readonly [string, string] {
  const other = `${elsewhere.charAt(0).toUpperCase()}${elsewhere.slice(1)}.`;
  if (/No space left|Disk quota exceeded/i.test(stderr))
    return ['since the disk is full', 'Free some space there.'];
  if (/Read-only file system/i.test(stderr))
    return ['since it is on a disk that is mounted read-only', `Mount it for writing, or ${elsewhere}.`];
  if (/File exists|Not a directory/i.test(stderr))
    return ['since a file of that name is in the way', `Remove it, or ${elsewhere}.`];
  if (missingHome !== undefined)
    return [
      `since the home folder ${missingHome} of its user does not exist`,
      'Make it, and give it to that user.',
    ];
  if (/Permission denied|Operation not permitted/i.test(stderr))
    return [
      'since its user may not write there',
      `Give that user a home folder of its own, or ${elsewhere}.`,
    ];
  return [`since the system says: ${lastLine(stderr) || 'nothing'}`, other];
}

/** Why the agent did not start; `noexec` is the mount that lets no program run from the agent's folder, where there is one. */
export function startFault(
  who: string,
  program: string,
  { code, signal, stderr }: SshResult,
  noexec: string | undefined,
): FullhouseError {
  const say = (sentence: string): FullhouseError => new FullhouseError('no-agent', sentence);
  if (noexec !== undefined)
    return say(
      `${who} does not let the agent run: ${noexec}, which holds the home of its user, is mounted noexec. Mount it without that, or ${elsewhere}.`,
    );
  if (mayNotRun({ code, stderr }))
    return say(
      `${who} does not let the agent run: its user may not run ${program}. Ask its administrator which folder programs may be run from, and ${elsewhere}.`,
    );
  const crash = /^(?:fatal error|panic): (.*)$/m.exec(stderr)?.[1];
  if (crash !== undefined)
    return say(
      `The agent does not start on ${who} (${crash.trim()}): its user may have too little memory or too few processes. Raise its limits (ulimit -v, ulimit -u), or free some memory.`,
    );
  if (signal !== undefined)
    return say(
      `The agent does not start on ${who}: the system ended it with SIG${signal.replace(/^SIG/, '')}, as it does where memory is short. Free some memory there and try again.`,
    );
  const said = lastLine(stderr).replace(/choose (?:a|another) folder[^,;]* with --home/g, elsewhere);
  return say(
    `The agent does not start on ${who}: ${said.replace(/\.$/, '') || `it ended with code ${code ?? 'none'} and did not say why`}.`,
  );
}

/** That an agent has ended which nobody had asked to, by the last line of its log. */
export function endSentence(who: string, lastWords: string): string {
  const words = lastWords.replace(/^[\d/]+ [\d:.]+ /, '').trim();
  // What Go prints of a crash ends with a place in its program, which says nothing to people; a killed agent only said hello.
  const why = /\.go:\d+|\b0x[0-9a-f]+$|^goroutine /.test(words)
    ? ', by a fault of its own that agent.log in its home tells'
    : words === '' || / listens at \S+$/.test(words.replace(/\.$/, ''))
      ? ' without a word, as when it is killed'
      : ` (${words.replace(/\.$/, '')})`;
  return `The agent on ${who} has ended${why}; start again, which starts it anew.`;
}

/** Whether the shell, and not the agent, said that the program may not be run. */
export function mayNotRun({ code, stderr }: Pick<SshResult, 'code' | 'stderr'>): boolean {
  return code === 126 || (code !== 2 && /permission denied/i.test(lastLine(stderr)));
}

/** The last line that says something. */
export function lastLine(text: string): string {
  return text.trim().split('\n').pop()?.trim() ?? '';
}
