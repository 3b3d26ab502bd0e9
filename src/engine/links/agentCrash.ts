/** Reasons of Go for which the limits of its user or machine are the cause. */
const isShortage = /memory|thread|newosproc|allocate|mmap|map pages|reserve/i;

/** Why a Go program crashed, by a line of its output; undefined for any other line. */
export function crashReason(line: string): string | undefined {
  return /^(?:fatal error|panic): (.*)$/.exec(line)?.[1]?.trim();
}

/** What to do about a crash. */
export function crashFix(reason: string): string {
  return isShortage.test(reason)
    ? 'its user may have reached a memory or process limit. Raise its limits (ulimit -v, ulimit -u), or free some memory.'
    : 'a fault of the agent. Start it again, and report this sentence.';
}
