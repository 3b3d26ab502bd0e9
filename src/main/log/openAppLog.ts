import { createInterface } from 'node:readline';
import { format } from 'node:util';
import { type LogLevel, usualLogLevel } from '../../domain/model/logLevel';
import { visible } from '../../domain/text/visibleText';
import { readLogLine } from '../../engine/base/logLines';
import { AppLog } from './appLog';
import { RotatingFile } from './rotatingFile';

/** About 20,000 entries per file. */
const limits = { maxBytes: 2 * 2 ** 20, older: 4 };

/** The log of this start, continued in the same file. It has what this process prints, too. */
export function openAppLog(path: string): AppLog {
  const log = new AppLog(new RotatingFile(path, limits), usualLogLevel);
  recordConsole(log);
  return log;
}

const levels = { error: 'error', warn: 'warn', info: 'info', log: 'info', debug: 'debug' } as const satisfies Partial<
  Record<keyof Console, LogLevel>
>;

/** From now on the log has what this process prints by its console, packages included. It is still printed. */
export function recordConsole(log: AppLog, printer: Pick<Console, keyof typeof levels> = console): void {
  for (const name of Object.keys(levels) as (keyof typeof levels)[]) {
    const print = printer[name].bind(printer);
    printer[name] = (...values: unknown[]) => {
      const text = format(...values);
      log.add(levels[name], 'main', text);
      print(visible(text));
    };
  }
}

/**
 * The log has what the engine's process prints, with the levels of its own entries; `foreign` is that of other lines.
 * It is also printed to `echo`.
 */
export function recordOutput(
  log: AppLog,
  output: NodeJS.ReadableStream | null,
  foreign: LogLevel,
  echo: NodeJS.WritableStream,
): void {
  if (!output) return;
  createInterface({ input: output }).on('line', (line) => {
    const { level, text } = readLogLine(line);
    log.add(level ?? foreign, 'engine', text);
    // The log has all; a terminal has what it had without levels.
    if (level === undefined || level === 'error' || level === 'warn') echo.write(`${text}\n`);
  });
}
