import { FullhouseError } from '../../../contract/calls';

/** One word for a POSIX shell (sh, dash, bash, zsh): passed on unchanged with any characters. */
export function quoteWord(word: string): string {
  if (word.includes('\0'))
    throw new FullhouseError('bad-word', "A command can't contain a NUL character; no shell can pass it on.");
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command line for a POSIX shell. */
export function quoteCommand(argv: readonly string[]): string {
  if (argv.length === 0) throw new FullhouseError('bad-word', 'A command needs at least the name of a program.');
  return argv.map(quoteWord).join(' ');
}
