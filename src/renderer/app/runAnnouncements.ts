import type { RunEvent, RunView } from '../../domain/model/run';

/** Events that a screen reader announces by themselves; the log has all of them. */
const announced: ReadonlySet<RunEvent['kind']> = new Set(['phase', 'threshold', 'disagreement']);

/** The announcement of an event: phases, breached thresholds, lost and recovered nodes. Undefined for the others. */
export function announcementOf({ kind, mark, sentence }: RunEvent): string | undefined {
  return announced.has(kind) || mark === 'lost' || mark === 'recovered' ? sentence : undefined;
}

/** The announcement of a verdict. */
export function verdictAnnouncement({ verdict }: Pick<RunView, 'verdict'>): string | undefined {
  return verdict && `Verdict: ${verdict.verdict}. ${verdict.sentence}`;
}
