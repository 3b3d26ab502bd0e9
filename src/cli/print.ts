import { once } from 'node:events';
import { jsonSchemaVersion } from '../contract/runResult';
import type { LogLevel } from '../domain/model/logLevel';
import { maskAddresses } from '../domain/secrets/addressSecrets';
import { terminalJson, terminalLine } from '../domain/text/escape/terminal';
import { visible } from '../domain/text/visibleText';
import { setLogTarget } from '../engine/base/log';
import { logLine } from '../engine/base/logLines';

/**
 * All that the command line prints. Lines are ours: a text of a server, a plan or a file within one stays within it, so
 * that it can't add a line that looks like a result or like a command for the CI system that runs this.
 */

/** A line on standard error, which receives everything but the result. Errors in a plan quote its text. */
export function printStatus(sentence: string): void {
  statusOutput.write(`${terminalLine(maskAddresses(sentence))}\n`);
}

let statusOutput: { write(text: string): unknown } = process.stderr;

/** From now on status lines are written there. */
export function setStatusOutput(output: { write(text: string): unknown }): void {
  statusOutput = output;
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
  printStatus(isVerbose ? logLine(level, sentence).trimEnd() : sentence.trimEnd());
}

/** For commands without an engine: what others have to be told at once, such as a login that waits for the person. */
export const printLogHere = (): void =>
  setLogTarget({ write: printLog, mask: (sentence) => sentence, limit: logLimit() });

/** Lines of the result on standard output. */
export function print(...lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${terminalLine(line)}\n`).join(''));
}

const verdictColours = { PASS: 32, FAIL: 31, INCONCLUSIVE: 33, STOPPED: 33 } as const;
const verdictAtStart = new RegExp(`^(${Object.keys(verdictColours).join('|')})(?= )`);

/** A line that starts with a verdict, this word in its colour. */
export const colouredVerdict = (line: string): string =>
  line.replace(
    verdictAtStart,
    (word) => `\u001b[1;${verdictColours[word as keyof typeof verdictColours]}m${word}\u001b[0m`,
  );

/** The lines of a run's result, its verdict in colour on a terminal that has any; `NO_COLOR` is respected. */
export function printResult(lines: readonly string[]): void {
  const { stdout } = process;
  // A pipe or a file has no `hasColors`.
  const hasColours = stdout.isTTY && stdout.hasColors();
  const escaped = lines.map((line, place) => {
    const text = terminalLine(line);
    return hasColours && place === 0 ? colouredVerdict(text) : text;
  });
  stdout.write(escaped.map((line) => `${line}\n`).join(''));
}

/** A document as the result: YAML, Markdown, CSV, a script, each with its own escape. It ends with a line end. */
export function printDocument(text: string): void {
  process.stdout.write(visible(text));
}

/** Prints a document in pieces, no faster than standard output is read. */
export async function printPieces(text: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  const { stdout } = process;
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = error;
  };
  stdout.on('error', onError);
  try {
    for await (const piece of text) {
      if (!stdout.write(visible(piece)) && !broken) await once(stdout, 'drain', { signal });
      if (broken) throw broken;
    }
  } finally {
    stdout.off('error', onError);
  }
}

/** The result as JSON, an object with the version of its fields. */
export function printJson(value: object): void {
  const versioned = Array.isArray(value) ? value : { schemaVersion: jsonSchemaVersion, ...value };
  process.stdout.write(`${terminalJson(versioned)}\n`);
}
