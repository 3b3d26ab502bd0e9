import type { NodeState, NodeView } from '../../../domain/model/node';
import { formatDuration, formatRunTime } from '../../../domain/text/timeFormat';
import type { LostOrigin, OriginOutage } from '../../../domain/evidence/evidence';
import { isRefusedConnection } from '../../links/http/httpFaults';

interface Loss extends LostOrigin {
  /** Its process ended, or its media has stopped since: a missing response alone may be a slow API. */
  readonly isCertain: boolean;
  /** When it was first known to be gone, and how: a server that is only slow accepts connections. */
  readonly gone?: { readonly timeMs: number; readonly reason: string };
}

/** Detects a lost origin of a run. */
export class LostOrigins {
  private readonly losses = new Map<string, Loss>();
  private readonly over: OriginOutage[] = [];

  /** `startedMs` is the run's start; `view` the node's at its last response. */
  state(
    view: NodeView,
    change: { readonly state: NodeState; readonly problem?: string | undefined },
    nowMs: number,
    startedMs: number,
  ): void {
    const { state, problem } = change;
    if (state === 'live') this.recover(view, nowMs, startedMs);
    if (state !== 'failed' && state !== 'stale' && state !== 'idle') return;
    const isCertain = state !== 'stale';
    const known = this.losses.get(view.id);
    const timeMs = known?.timeMs ?? (isCertain ? nowMs : (view.lastSampleMs ?? nowMs));
    const gone = known?.gone ?? goneAt(view, change, nowMs);
    const sentence = `${describe(view)} stopped responding at ${formatRunTime(timeMs - startedMs)}.`;
    this.losses.set(view.id, {
      ...{ node: view.id, timeMs, sentence, isCertain: isCertain || known?.isCertain === true },
      ...(problem === undefined ? {} : { detail: problem }),
      ...(gone ? { gone } : {}),
    });
  }

  private recover(view: NodeView, nowMs: number, startedMs: number): void {
    const gone = this.losses.get(view.id)?.gone;
    this.losses.delete(view.id);
    if (!gone) return;
    const { timeMs: fromMs, reason } = gone;
    const when = `from ${formatRunTime(fromMs - startedMs)} to ${formatRunTime(nowMs - startedMs)}`;
    const sentence = `${describe(view)} did not respond ${when} (${formatDuration(nowMs - fromMs)}): ${reason}.`;
    this.over.push({ node: view.id, fromMs, toMs: nowMs, sentence });
  }

  /**
   * What the audience receives. Without media an origin is lost, unless no tester with viewers responds: then its state
   * is unknown.
   */
  media(mbps: number, isAnyTesterHeard: boolean): void {
    if (mbps > 0 || !isAnyTesterHeard) return;
    for (const [node, loss] of this.losses) this.losses.set(node, { ...loss, isCertain: true });
  }

  /** Origins that responded again, in order of time. */
  get outages(): readonly OriginOutage[] {
    return this.over;
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

function goneAt(
  view: NodeView,
  { state, problem }: { state: NodeState; problem?: string | undefined },
  timeMs: number,
) {
  if (isRefusedConnection(problem)) return { timeMs, reason: 'connections were refused' };
  return state === 'stale' ? undefined : { timeMs, reason: problem ? reasonOf(view, problem) : 'it was stopped' };
}

/** Within a sentence that names the node. */
function reasonOf({ name }: NodeView, problem: string): string {
  const reason = problem.startsWith(`${name}: `) ? problem.slice(name.length + 2) : problem;
  return reason.replace(/\.$/, '');
}

function describe({ name }: NodeView): string {
  return name === 'origin' ? name : `${name} (origin)`;
}
