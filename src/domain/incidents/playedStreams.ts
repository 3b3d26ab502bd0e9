import type { StreamFinding } from '../node/streamCheck';
import type { Incident, IncidentChange } from './incident';
import type { IncidentLines } from './incidentLines';
import { causeOf } from './nodeWatch';
import { streamPlace } from './streamWatch';
import { appliesTo, type AlertRule } from './rules';
import * as say from './sentences';

/** A stream that was not played for so long is not known to be faulty any more. */
const forgottenAfterMs = 86_400_000;

/** What the control player finds as it rotates through streams: a fault lasts until the stream is seen well again. */
export class PlayedStreams {
  /** By the cause, when the stream was played last. */
  private readonly playedMs = new Map<string, number>();

  constructor(private readonly lines: IncidentLines) {}

  take(
    rules: readonly AlertRule[],
    { id, role }: { readonly id: string; readonly role: string },
    stream: string,
    finding: StreamFinding,
    nowMs: number,
  ): readonly IncidentChange[] {
    return rules
      .filter((rule) => rule.kind === 'picture-fault' && appliesTo(rule, { id, role }))
      .flatMap((rule) => {
        const cause = causeOf(rule, id, stream);
        this.playedMs.set(cause, nowMs);
        if (finding === 'fine') return this.lines.end(cause, nowMs, say.pictureFine);
        return this.lines.begin({
          ...{ rule, node: id, subject: stream, cause, group: causeOf(rule, id), timeMs: nowMs },
          // A stream without a publisher has no picture either.
          ...{ places: [streamPlace(id, stream)], sentence: say.pictureFound(id, finding) },
        });
      });
  }

  /** Ends what is no longer looked at. */
  tick(rules: readonly AlertRule[], firing: readonly Incident[], nowMs: number): readonly IncidentChange[] {
    if (firing.length === 0) this.playedMs.clear();
    if (firing.length === 0) return [];
    const names = new Set(rules.filter(({ kind }) => kind === 'picture-fault').map(({ name }) => name));
    const causes = firing.flatMap((each) => each.firing).filter((cause) => names.has(cause.split('|')[0] ?? ''));
    for (const cause of this.playedMs.keys()) if (!causes.includes(cause)) this.playedMs.delete(cause);
    return causes.flatMap((cause) => {
      const playedMs = this.playedMs.get(cause) ?? nowMs;
      this.playedMs.set(cause, playedMs);
      return nowMs - playedMs < forgottenAfterMs ? [] : this.lines.end(cause, nowMs, say.notPlayed);
    });
  }
}
