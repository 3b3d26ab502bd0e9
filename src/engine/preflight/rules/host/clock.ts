import { everywhere, pass, unread, warn, type PreflightRule } from '../../rule';
import { about } from '../../text/numbers';

const maxOffsetMs = 100;

/** Synchronisation state from `timedatectl show`; undefined when missing. Pure. */
function synchronised(text: string): boolean | undefined {
  const word = /^NTPSynchronized=(yes|no)$/m.exec(text)?.[1];
  return word === undefined ? undefined : word === 'yes';
}

/** Offset of the system's clock reported by chrony, in ms. Pure. */
function chronyOffsetMs(text: string): number | undefined {
  const match = /^System time\s*:\s*([\d.]+) seconds (slow|fast)/m.exec(text);
  return match ? Number(match[1]) * 1000 * (match[2] === 'fast' ? 1 : -1) : undefined;
}

export const clock: PreflightRule = {
  id: 'host.clock',
  title: 'Clock',
  checks: 'Whether the clock is synchronised by NTP, and its measured offset to the console.',
  why: 'Figures of several machines are aligned by time; logs with different clocks lead to the wrong cause.',
  good: 'synchronised, within 100 ms of the console',
  source: 'systemd: timedatectl; chrony: chronyc tracking',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ command: 'timedatectl' }, { command: 'chronyc' }],
  judge: (facts, { node, clock: measured }) => {
    const chrony = facts.maybe((all) => chronyOffsetMs(all.command('chronyc')));
    const isSynchronised =
      facts.maybe((all) => synchronised(all.command('timedatectl'))) ?? (chrony === undefined ? undefined : true);
    const offset = measured?.offsetMs ?? chrony;
    const fix = 'sudo timedatectl set-ntp true';
    if (offset !== undefined && Math.abs(offset) > maxOffsetMs)
      return warn(
        `The clock of ${node} is ${about(Math.round(Math.abs(offset)))} ms ${offset > 0 ? 'ahead' : 'behind'}; figures are corrected for this, its logs are not.`,
        fix,
      );
    if (isSynchronised === false) return warn(`The clock of ${node} is not synchronised.`, fix);
    const within =
      offset === undefined
        ? ''
        : `, ${about(Math.abs(Math.round(offset * 10) / 10))} ms from ${measured ? 'the console' : 'NTP time'}`;
    if (isSynchronised) return pass(`The clock of ${node} is synchronised${within}.`);
    return offset === undefined
      ? unread(`Neither timedatectl nor chronyc reports on the clock of ${node}.`)
      : pass(
          `The clock of ${node} is ${about(Math.abs(Math.round(offset * 10) / 10))} ms from the console; its NTP state is unknown.`,
        );
  },
};
