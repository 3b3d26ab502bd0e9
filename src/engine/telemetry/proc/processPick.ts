/** A process whose name or arguments hold what was looked for. */
export interface ProcessCandidate {
  readonly pid: number;
  /** Its name as the kernel keeps it: 15 characters at most. */
  readonly comm: string;
  readonly args: readonly string[];
}

/** Programs that have a server's name among their arguments without being it. */
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
 * The processes that are meant by a name: all that are called so (a server may work in several), else all whose program's file
 * is called so, else the first one that has it among its arguments, such as a Java or Node.js program.
 */
export function pickProcesses(name: string, candidates: readonly ProcessCandidate[]): number[] {
  const pids = (fits: (one: ProcessCandidate) => boolean): number[] =>
    candidates
      .filter(fits)
      .map(({ pid }) => pid)
      .sort((a, b) => a - b);
  const called = pids(({ comm }) => comm === name.slice(0, 15));
  if (called.length > 0) return called;
  const files = pids(({ args: [program = ''] }) => program.slice(program.lastIndexOf('/') + 1) === name);
  if (files.length > 0) return files;
  return pids(({ comm }) => !bystanders.test(comm)).slice(0, 1);
}
