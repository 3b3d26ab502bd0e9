import type { Plan } from '../../domain/model/plan';
import type { TesterLimit } from '../../domain/model/run';
import { neededNodes, unreachable } from '../../domain/node/unreachable';
import { reportedLimit } from '../../domain/tester/viewerLimit';
import { FullhouseError } from '../../contract/calls';
import type { FleetNode } from '../fleet/node';
import type { Pull } from './pull';
import { formatViewers } from '../../domain/text/numberFormat';

/** A tester's share of a pull that exceeds its capacity. */
export interface Share {
  readonly name: string;
  readonly node: FleetNode;
  readonly share: number;
}

/** A pull that can't start, since one of its testers can't take its share. */
export class RefusedShare extends FullhouseError {
  constructor(
    readonly part: Share,
    sentence: string,
  ) {
    super('too-many-viewers', sentence);
  }
}

/** The limits of testers that a failed preparation shows. */
export function refusedShare(error: unknown, nowMs: number): TesterLimit[] {
  return error instanceof RefusedShare ? [limitOf(error.part, nowMs)] : [];
}

/** Limits of testers that were asked and refused, such as one that also runs viewers of another console. */
export function refusedJobs(pull: Pull, nowMs: number): TesterLimit[] {
  return pull.jobs
    .filter(({ isTooMany }) => isTooMany === true)
    .map(({ tester: { name, node }, viewers: share, problem }) => limitOf({ name, node, share }, nowMs, problem));
}

/**
 * `problem` is the tester's own sentence: its capacity may be lower than its limit, since it may run viewers of another
 * console.
 */
function limitOf({ name, node, share }: Share, nowMs: number, problem?: string): TesterLimit {
  const { viewerLimit = 0, machine } = node.view(name);
  const kind = reportedLimit(viewerLimit, machine);
  const needs = kind === 'ports' ? 'a local port' : 'an open file';
  const isOwnReason = problem !== undefined && share <= viewerLimit;
  const words = isOwnReason
    ? problem
    : `it can run at most ${formatViewers(viewerLimit)}; ${formatViewers(share)} were requested.`;
  return {
    node: name,
    kind,
    fromMs: nowMs,
    viewers: 0,
    sentence: `${name} was at its own limit: ${words}`,
    expected: `each viewer needs ${needs} of its tester`,
  };
}

/**
 * Throws one sentence when a required node is known not to respond: such a run would only leave a file without viewers.
 */
export function refuseUnreachable(plan: Plan, nodes: ReadonlyMap<string, FleetNode>): void {
  for (const { name } of neededNodes(plan)) {
    const node = nodes.get(name);
    const why = node && unreachable(node.view());
    if (why !== undefined) throw new FullhouseError('node-unreachable', why);
  }
}
