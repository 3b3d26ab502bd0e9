import type { LogLevel } from '../domain/model/logLevel';
import { maskAddresses } from '../domain/secrets/addressSecrets';
import { visible, visibleJson } from '../domain/text/visibleText';
import { setLogTarget } from '../engine/base/log';
import { logLine } from '../engine/base/logLines';

/** A line on standard error, which receives everything but the result. Errors in a plan quote its text. */
export function printStatus(sentence: string): void {
  process.stderr.write(`${visible(maskAddresses(sentence))}\n`);
}

let isVerbose = false;

/** From now on `printLog` prints all levels. */
export function setVerbose(): void {
  isVerbose = true;
}

/** The least severe level of the engine's log that is printed. */
export const logLimit = (): LogLevel => (isVerbose ? 'debug' : 'warn');

/** An entry of the engine's log: with its level, if all levels are printed. */
export function printLog(sentence: string, level: LogLevel): void {
  printStatus(isVerbose ? logLine(level, sentence).trimEnd() : sentence);
}

/** For commands without an engine: what others have to be told at once, such as a login that waits for the person. */
export const printLogHere = (): void =>
  setLogTarget({ write: printLog, mask: (sentence) => sentence, limit: logLimit() });

/** The result, or a part of it, on standard output. */
export function print(text: string): void {
  process.stdout.write(visible(text));
}

/** The result as JSON. */
export function printJson(value: unknown): void {
  print(`${visibleJson(value)}\n`);
}
