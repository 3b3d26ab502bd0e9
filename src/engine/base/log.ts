import { terminalLine } from '../../domain/text/escape/terminal';
import { isLogged, type LogLevel } from '../../domain/model/logLevel';

/** Receives a sentence of the log, without secrets. */
export type WriteLog = (sentence: string, level: LogLevel) => void;

export interface LogTarget {
  readonly write: WriteLog;
  /** Removes secrets from a sentence. */
  readonly mask: (sentence: string) => string;
  /** The least severe level that is written. */
  readonly limit: LogLevel;
}

/** Without an engine, e.g. in the process that reads saved runs. */
let target: LogTarget = {
  write: (sentence) => console.error(terminalLine(sentence)),
  mask: (sentence) => sentence,
  limit: 'error',
};

/** All further entries of this process go there: one log per process, like the console. */
export function setLogTarget(next: LogTarget): void {
  target = next;
}

/** Changes the least severe level that is written. */
export function setLogLimit(limit: LogLevel): void {
  target = { ...target, limit };
}

function entry(level: LogLevel): (sentence: string) => void {
  return (sentence) => {
    if (isLogged(level, target.limit)) target.write(target.mask(sentence), level);
  };
}

/**
 * The log of the engine, for diagnosis. What a user has to know is an event of the run or a problem of its node, and is
 * repeated here only as `info`: errors and warnings are also printed by the command line.
 */
export const log = { error: entry('error'), warn: entry('warn'), info: entry('info'), debug: entry('debug') } as const;
