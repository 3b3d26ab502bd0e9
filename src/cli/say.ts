import { maskAddresses } from '../domain/secrets/addressSecrets';
import { visible, visibleJson } from '../domain/visibleText';

/** A line on standard error, which has everything but the result. Errors in a plan quote what is written there. */
export function say(sentence: string): void {
  process.stderr.write(`${visible(maskAddresses(sentence))}\n`);
}

/** The result, or a part of it, on standard output. */
export function print(text: string): void {
  process.stdout.write(visible(text));
}

/** The result for programs. */
export function printJson(value: unknown): void {
  print(`${visibleJson(value)}\n`);
}
