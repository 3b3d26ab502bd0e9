import { everywhere, pass, unread, warn, type PreflightRule } from '../../rule';
import { about } from '../../text/numbers';

const mostOffsetMs = 100;

/** What `timedatectl show` says of synchronisation; undefined where it says nothing. Pure. */
function synchronised(text: string): boolean | undefined {
  const word = /^NTPSynchronized=(yes|no)$/m.exec(text)?.[1];
  return word === undefined ? undefined : word === 'yes';
}

/** Offset that chrony tells of the system's clock, in ms. Pure. */
function chronyOffsetMs(text: string): number | undefined {
  const match = /^System time\s*:\s*([\d.]+) seconds (slow|fast)/m.exec(text);
  return match ? Number(match[1]) * 1000 * (match[2] === 'fast' ? 1 : -1) : undefined;
}

export const clock: PreflightRule = {
  id: 'host.clock',
  title: 'Clock',
  checks: 'Whether the clock is kept by NTP, and how far it is from ours where that was measured.',
  why: 'Figures of several machines are laid over each other by time; logs that disagree lead to the wrong cause.',
  good: 'synchronised, within 100 ms of ours',
  source: 'systemd: timedatectl; chrony: chronyc tracking',
  isOfMachine: true,
  applies: everywhere,
  needs: [{ command: 'timedatectl' }, { command: 'chronyc' }],
  judge: (facts, { node, clock: measured }) => {
    const chrony = facts.maybe((all) => chronyOffsetMs(all.command('chronyc')));
    const isKept =
      facts.maybe((all) => synchronised(all.command('timedatectl'))) ??
      (chrony === undefined ? undefined : true);
    const offset = measured?.offsetMs ?? chrony;
    const fix = 'sudo timedatectl set-ntp true';
    if (offset !== undefined && Math.abs(offset) > mostOffsetMs)
      return warn(
        `The clock of ${node} is ${about(Math.round(Math.abs(offset)))} ms ${offset > 0 ? 'ahead' : 'behind'}; figures are corrected by that, its logs are not.`,
        fix,
      );
    if (isKept === false) return warn(`The clock of ${node} is not synchronised.`, fix);
    const within =
      offset === undefined
        ? ''
        : `, ${about(Math.abs(Math.round(offset * 10) / 10))} ms from ${measured ? 'ours' : 'the true time'}`;
    if (isKept) return pass(`The clock of ${node} is synchronised${within}.`);
    return offset === undefined
      ? unread(`Neither timedatectl nor chronyc tells of the clock of ${node}.`)
      : pass(
          `The clock of ${node} is ${about(Math.abs(Math.round(offset * 10) / 10))} ms from ours; whether NTP keeps it can't be told.`,
        );
  },
};
