import type { Finding } from '../evidence/evidence';
import type { RunView } from '../model/run';
import { allAudiences, severalAudiences } from '../plan/audiences';
import { formatCount } from '../text/numberFormat';

/**
 * After the number of viewers that were connected at once: how many were at the end, where these were too few.
 * `, 0 of 30 at the end of the hold`.
 */
export function connectedText({ plan, figures }: RunView, findings: readonly Finding[]): string {
  const isSeveral = severalAudiences(plan).length > 0;
  const audiences = allAudiences(plan).flatMap(({ name, pull }) => {
    const finding = findings.find(
      ({ expectation, audience }) => expectation === 'connected' && (!isSeveral || audience === name),
    );
    const requested = isSeveral ? pull.viewers : figures.requested;
    return finding ? [{ finding, pull, requested }] : [];
  });
  const short = audiences.filter(({ finding }) => finding.result === 'failed');
  if (short.length === 0) return '';
  // The lowest of several levels is no number at the end.
  if (short.some(({ pull }) => pull.stages !== undefined)) return ', too few at the end of a level';
  const counted = audiences.filter(({ finding, pull }) => finding.measured !== undefined && pull.stages === undefined);
  const connected = counted.reduce(
    (sum, { finding, requested }) => sum + Math.round(((finding.measured ?? 0) * requested) / 100),
    0,
  );
  const of = counted.reduce((sum, { requested }) => sum + requested, 0);
  return `, ${formatCount(connected)} of ${formatCount(of)} at the end of ${isSeveral ? 'their holds' : 'the hold'}`;
}
