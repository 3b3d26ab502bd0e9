const mostShown = 10;

/**
 * The lines at the end of a test run: a line per part with its notes, the slowest tests, the tests that needed a second
 * try, and last the sums.
 * @param {{ name: string, passed: number, failed: number, notes: string[], seconds: number,
 *   durations?: { name: string, ms: number }[], secondTries?: string[] }[]} results one per part
 */
export function summaryOf(results) {
  const seconds = (value, width) => `${value.toFixed(1).padStart(width)} s`;
  const parts = results.flatMap(({ name, passed, failed, notes, seconds: taken }) => [
    `${name.padEnd(12)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds(taken, 7)}`,
    ...notes.map((note) => `  ${note}`),
  ]);
  const slowest = results
    .flatMap(({ durations = [] }) => durations)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, mostShown)
    .map(({ name, ms }) => `  ${seconds(ms / 1000, 6)}  ${name}`);
  const secondTries = results.flatMap(({ secondTries: tests = [] }) => tests.map((test) => `  ${test}`));
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  return [
    ...parts,
    ...(slowest.length > 0 ? ['Slowest tests:', ...slowest] : []),
    ...(secondTries.length > 0 ? ['Passed on the second try only:', ...secondTries] : ['No test needed a second try.']),
    `${sum('passed')} passed, ${sum('failed')} failed`,
  ];
}
