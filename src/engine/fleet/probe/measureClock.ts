import type { ClockView } from '../../../domain/model/node';
import { FullhouseError } from '../../../contract/calls';
import type { SshLink } from '../../links/ssh/sshLink';
import type { Cancel, Clock } from '../../base/clock';

/** Answers each line of input with the time; busybox's date does not support nanoseconds and prints %N. */
const script = 'while read -r _; do date +%s.%N; done';

/** Ten round trips to a host far away take a second or two. */
const patienceMs = 5000;

/**
 * The host's clock offset, from `rounds` round trips over one channel: the shortest one is the most accurate (as in
 * NTP). Rejects when the host reports no fractions of a second, or does not respond within 5 s in total.
 */
export async function measureClock(
  link: SshLink,
  rounds: number,
  clock: Clock,
  onRound: (soFar: ClockView, done: number) => void,
): Promise<ClockView> {
  // The clock counts in ms, and an offset is often less.
  const startedMs = clock.wall() - clock.monotonic();
  const preciseNow = (): number => startedMs + clock.monotonic();
  let best: ClockView | undefined;
  let take: (line: string) => void = () => undefined;
  let cancelLimit: Cancel = () => undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const sentence = `The host did not report its time within ${patienceMs / 1000} s.`;
    cancelLimit = clock.after(patienceMs, () => reject(new FullhouseError('timeout', sentence)));
  });
  tooLate.catch(() => undefined); // may reject while nothing waits
  const starting = link.follow(['sh', '-c', script], { line: (line) => take(line) });
  try {
    const command = await Promise.race([starting, tooLate]);
    for (let round = 1; round <= rounds; round += 1) {
      const sentMs = preciseNow();
      const answer = new Promise<string>((resolve, reject) => {
        take = resolve;
        void command.ended.then(() => reject(new FullhouseError('link-lost', 'The host stopped responding.')));
        command.write('\n');
      });
      const line = await Promise.race([answer, tooLate]);
      const heardMs = preciseNow();
      if (!/^\d+\.\d+$/.test(line.trim()))
        throw new FullhouseError(
          'no-clock',
          "The host reports whole seconds only, so its clock offset can't be measured.",
        );
      const offsetMs = Number(line) * 1000 - (sentMs + heardMs) / 2;
      const uncertaintyMs = Math.max(0.1, (heardMs - sentMs) / 2);
      if (!best || uncertaintyMs < best.uncertaintyMs) best = { offsetMs, uncertaintyMs };
      onRound(best, round);
    }
  } finally {
    cancelLimit();
    starting.then(
      (command) => command.end(),
      () => undefined,
    );
  }
  if (!best) throw new FullhouseError('no-clock', 'The clock was not queried.');
  return best;
}
