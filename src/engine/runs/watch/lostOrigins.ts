import type { NodeState, NodeView } from '../../../domain/model/node';
import { formatRunTime } from '../../../domain/text/timeFormat';
import type { LostOrigin } from '../../../domain/evidence/evidence';

interface Loss extends LostOrigin {
  /** Its process ended, or its media has stopped since: a missing response alone may be a slow API. */
  readonly isCertain: boolean;
}

/** Detects a lost origin of a run. */
export class LostOrigins {
  private readonly losses = new Map<string, Loss>();

  /** `startedMs` is the run's start; `view` the node's at its last response. */
  state(
    view: NodeView,
    change: { readonly state: NodeState; readonly problem?: string | undefined },
    nowMs: number,
    startedMs: number,
  ): void {
    const { state, problem } = change;
    if (state === 'live') this.losses.delete(view.id);
    if (state !== 'failed' && state !== 'stale' && state !== 'idle') return;
    const isCertain = state !== 'stale';
    const known = this.losses.get(view.id);
    const timeMs = known?.timeMs ?? (isCertain ? nowMs : (view.lastSampleMs ?? nowMs));
    const sentence = `${describe(view)} stopped responding at ${formatRunTime(timeMs - startedMs)}.`;
    this.losses.set(view.id, {
      ...{ node: view.id, timeMs, sentence, isCertain: isCertain || known?.isCertain === true },
      ...(problem === undefined ? {} : { detail: problem }),
    });
  }

  /**
   * What the audience receives. Without media an origin is lost, unless no tester with viewers responds: then its state
   * is unknown.
   */
  media(mbps: number, isAnyTesterHeard: boolean): void {
    if (mbps > 0 || !isAnyTesterHeard) return;
    for (const [node, loss] of this.losses) this.losses.set(node, { ...loss, isCertain: true });
  }

  get all(): readonly LostOrigin[] {
    return [...this.losses.values()]
      .filter(({ isCertain }) => isCertain)
      .sort((a, b) => a.timeMs - b.timeMs)
      .map(({ node, timeMs, sentence, detail }) => ({
        ...{ node, timeMs, sentence },
        ...(detail === undefined ? {} : { detail }),
      }));
  }
}

function describe({ name }: NodeView): string {
  return name === 'origin' ? name : `${name} (origin)`;
}
