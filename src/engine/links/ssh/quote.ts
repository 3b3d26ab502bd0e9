import { FullhouseError } from '../../../contract/calls';

/** One word for a POSIX shell (sh, dash, bash, zsh): it arrives as it is, whatever characters it has. */
export function quoteWord(word: string): string {
  if (word.includes('\0'))
    throw new FullhouseError('bad-word', 'A command can not hold a NUL character; no shell passes it on.');
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command line for a POSIX shell. */
export function quoteCommand(argv: readonly string[]): string {
  if (argv.length === 0)
    throw new FullhouseError('bad-word', 'A command needs at least the name of a program.');
  return argv.map(quoteWord).join(' ');
}
