/** A closed terminal ends a command in the same order as SIGTERM does. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `stop` at each wish to end; answers what takes the listener off again. A terminal that closes may say so twice: that counts once. */
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
