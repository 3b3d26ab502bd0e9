/** A line on standard error, which has everything but the result. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
