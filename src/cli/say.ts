import { maskAddresses } from '../domain/secrets/addressSecrets';

/** A line on standard error, which has everything but the result. Errors in a plan quote what is written there. */
export function say(sentence: string): void {
  process.stderr.write(`${maskAddresses(sentence)}\n`);
}
