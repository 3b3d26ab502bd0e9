/** Tests of how much memory a parser takes: it allocates as in production only without the race detector, and 20 times faster. */
export const memoryTests = 'TakeNoMoreMemory';

/** What starts goroutines, or waits for some: other code has no races. */
const concurrency = /^\s*(?:defer )?go [a-zA-Z(]|"net"|"net\/http|"os\/exec"|"sync|"context"|\.Parallel\(\)/m;

/**
 * The arguments of each `go test`: packages with goroutines under the race detector, all others and the tests of memory
 * without it. Packages without tests are left out.
 * @param {ReadonlyMap<string, readonly { name: string, text: string }[]>} packages the Go files of each package by its path
 */
export function goTestRuns(packages) {
  const isTest = ({ name }) => name.endsWith('_test.go');
  const tested = [...packages].filter(([, files]) => files.some(isTest));
  const all = tested.map(([path, files]) => ({
    path,
    isConcurrent: files.some(({ text }) => concurrency.test(text)),
    hasMemoryTests: files.some((file) => isTest(file) && file.text.includes(memoryTests)),
  }));
  const paths = (isWanted) => all.filter(isWanted).map(({ path }) => path);
  return [
    paths(({ isConcurrent }) => !isConcurrent),
    ['-run', memoryTests, ...paths(({ isConcurrent, hasMemoryTests }) => isConcurrent && hasMemoryTests)],
    ['-race', '-skip', memoryTests, ...paths(({ isConcurrent }) => isConcurrent)],
  ];
}
