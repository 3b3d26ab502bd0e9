/** A closed terminal ends a command in the same order as SIGTERM does. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The user ended the command before it had a result. */
export class StoppedBySignal extends Error {
  constructor(sentence = 'Stopped before the run started.') {
    super(sentence);
  }
}

/**
 * Calls `stop` at each request to end; returns a function that removes the listener. A closing terminal may send two
 * signals: they count once.
 */
export function onStopSignal(stop: () => void): () => void {
  let hasHungUp = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGHUP' && hasHungUp) return;
    hasHungUp ||= signal === 'SIGHUP';
    stop();
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
