import { format } from 'node:util';
import type { LogLevel } from '../../domain/model/logLevel';
import { visible } from '../../domain/text/visibleText';
import type { AppLog } from './appLog';

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
