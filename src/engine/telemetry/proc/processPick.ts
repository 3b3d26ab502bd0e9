/** A process that may be the searched one. */
export interface ProcessCandidate {
  readonly pid: number;
  /** Its name in the kernel: 15 characters at most. */
  readonly comm: string;
  readonly args: readonly string[];
}

/** Programs that may have a server's name among their arguments without being it. */
const bystanders =
  /^(sh|bash|dash|ash|zsh|su|sudo|tail|less|more|vi|vim|nano|grep|cat|tee|man|systemctl|journalctl|ssh|scp|gdb|strace|timeout|nohup|screen|tmux.*)$/;

/** `@found PID COMM<tab>ARG<tab>ARG…`. */
export function parseFound(line: string): ProcessCandidate | undefined {
  const match = /^@found (\d+) ([^\t]*)\t(.*)$/.exec(line);
  return match
    ? { pid: Number(match[1]), comm: match[2] ?? '', args: (match[3] ?? '').split('\t').filter(Boolean) }
    : undefined;
}

/**
 * The processes with a given name: all with that process name (a server may run several), else all whose executable's
 * file has that name, else the first one with it among its arguments, such as a Java or Node.js program.
 */
export function pickProcesses(name: string, candidates: readonly ProcessCandidate[]): number[] {
  const pids = (fits: (one: ProcessCandidate) => boolean): number[] =>
    candidates
      .filter(fits)
      .map(({ pid }) => pid)
      .sort((a, b) => a - b);
  const named = pids(({ comm }) => comm === name.slice(0, 15));
  if (named.length > 0) return named;
  const files = pids(({ args: [program = ''] }) => program.slice(program.lastIndexOf('/') + 1) === name);
  if (files.length > 0) return files;
  return pids(({ comm, args }) => args.some((arg) => arg.includes(name)) && !bystanders.test(comm)).slice(0, 1);
}
