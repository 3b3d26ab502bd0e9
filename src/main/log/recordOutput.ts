import { createInterface } from 'node:readline';
import { readLogLine } from '../../engine/base/logLines';
import type { LogLevel } from '../../domain/model/logLevel';
import type { AppLog } from './appLog';

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
