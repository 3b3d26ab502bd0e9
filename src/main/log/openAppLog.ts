import { usualLogLevel } from '../../domain/model/logLevel';
import { AppLog } from './appLog';
import { recordConsole } from './recordConsole';
import { RotatingFile } from './rotatingFile';

/** About 20,000 entries per file. */
const limits = { maxBytes: 2 * 2 ** 20, older: 4 };

/** The log of this start, continued in the same file. It has what this process prints, too. */
export function openAppLog(path: string): AppLog {
  const log = new AppLog(new RotatingFile(path, limits), usualLogLevel);
  recordConsole(log);
  return log;
}
