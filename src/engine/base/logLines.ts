import { logLevels, type LogLevel } from '../../domain/model/logLevel';

const levelAtStart = new RegExp(`^\\[(${logLevels.join('|')})\\] `);

/** An entry as a line on standard error: `[info] Run x started.`. Further lines of a sentence are indented. */
export function logLine(level: LogLevel, sentence: string): string {
  return `[${level}] ${sentence.trimEnd().replaceAll('\n', '\n  ')}\n`;
}

export interface LoggedLine {
  /** Undefined for any other line, e.g. of a stack trace. */
  readonly level: LogLevel | undefined;
  readonly text: string;
}

export function readLogLine(line: string): LoggedLine {
  const level = levelAtStart.exec(line)?.[1] as LogLevel | undefined;
  return { level, text: level === undefined ? line : line.slice(level.length + 3) };
}
