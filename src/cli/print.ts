import { maskAddresses } from '../domain/secrets/addressSecrets';
import { visible, visibleJson } from '../domain/text/visibleText';

/** A line on standard error, which receives everything but the result. Errors in a plan quote its text. */
export function printStatus(sentence: string): void {
  process.stderr.write(`${visible(maskAddresses(sentence))}\n`);
}

/** The result, or a part of it, on standard output. */
export function print(text: string): void {
  process.stdout.write(visible(text));
}

/** The result as JSON. */
export function printJson(value: unknown): void {
  print(`${visibleJson(value)}\n`);
}
