import { performance } from 'node:perf_hooks';
import type { ClockView } from '../../../domain/node';
import { FullhouseError } from '../../../contract/calls';
import type { SshLink } from '../../links/ssh/sshLink';
import { systemClock } from '../../clock';

/** Answers each line of its input with the time; busybox's date knows no nanoseconds and says so by leaving %N. */
const script = 'while read -r _; do date +%s.%N; done';

/** Ten quick questions of a host far away take a second or two. */
const patienceMs = 5000;

/**
 * The host's clock against ours, from `rounds` questions over one channel: the quickest answer tells most (as NTP does it).
 * Rejects when the host tells no time in fractions of a second, or none within 5 s in all.
 */
export async function measureClock(
  link: SshLink,
  rounds: number,
  onRound: (soFar: ClockView, done: number) => void,
): Promise<ClockView> {
  // The clock counts whole ms, and an offset is often less.
  const startedMs = systemClock.wall() - performance.now();
  const preciseNow = (): number => startedMs + performance.now();
  let best: ClockView | undefined;
  let take: (line: string) => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const sentence = `The host does not tell its time within ${patienceMs / 1000} s.`;
    timer = setTimeout(() => reject(new FullhouseError('timeout', sentence)), patienceMs);
  });
  tooLate.catch(() => undefined); // it may come while nothing waits
  const starting = link.follow(['sh', '-c', script], { line: (line) => take(line) });
  try {
    const command = await Promise.race([starting, tooLate]);
    for (let round = 1; round <= rounds; round += 1) {
      const sentMs = preciseNow();
      const answer = new Promise<string>((resolve, reject) => {
        take = resolve;
        void command.ended.then(() => reject(new FullhouseError('link-lost', 'The host stopped answering.')));
        command.write('\n');
      });
      const line = await Promise.race([answer, tooLate]);
      const heardMs = preciseNow();
      if (!/^\d+\.\d+$/.test(line.trim()))
        throw new FullhouseError(
          'no-clock',
          'The host tells whole seconds only, so its clock can not be compared.',
        );
      const offsetMs = Number(line) * 1000 - (sentMs + heardMs) / 2;
      const uncertaintyMs = Math.max(0.1, (heardMs - sentMs) / 2);
      if (!best || uncertaintyMs < best.uncertaintyMs) best = { offsetMs, uncertaintyMs };
      onRound(best, round);
    }
  } finally {
    clearTimeout(timer);
    starting.then(
      (command) => command.end(),
      () => undefined,
    );
  }
  if (!best) throw new FullhouseError('no-clock', 'The clock was not asked.');
  return best;
}
