/** Levels of the log, the most severe first. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The least severe level of the app's log, unless it is changed. */
export const usualLogLevel: LogLevel = 'info';

/** Whether a log that is set to `limit` has entries of this level. */
export function isLogged(level: LogLevel, limit: LogLevel): boolean {
  return logLevels.indexOf(level) <= logLevels.indexOf(limit);
}
