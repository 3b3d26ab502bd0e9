import { visible } from '../../domain/text/visibleText';
import { logLevels, type LogLevel } from '../../domain/model/logLevel';

const levelAtStart = new RegExp(`^\\[(${logLevels.join('|')})\\] `);

/** An entry as a line on standard error: `[info] Run x started.`. Further lines of a sentence are indented, and no other character in it starts a line. */
export function logLine(level: LogLevel, sentence: string): string {
  return `[${level}] ${visible(sentence).trimEnd().replace(/\r?\n/g, '\n  ')}\n`;
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
