import type { TesterLimit } from '../../domain/run';
import { toldBound } from '../../domain/tester/strength';
import { FullhouseError } from '../../contract/calls';
import type { FleetNode } from '../fleet/node';
import type { Pull } from './pull';
import { viewers } from './sentences';

/** A tester's part of a pull that it has no room for. */
export interface Share {
  readonly name: string;
  readonly node: FleetNode;
  readonly share: number;
}

/** A pull that can't begin, since one of its testers can't hold its part. */
export class RefusedShare extends FullhouseError {
  constructor(
    readonly part: Share,
    sentence: string,
  ) {
    super('too-many-viewers', sentence);
  }
}

/** What a failed preparation says of its testers. */
export function refusedShare(error: unknown, nowMs: number): TesterLimit[] {
  return error instanceof RefusedShare ? [limitOf(error.part, nowMs)] : [];
}

/** The same of testers that were asked and refused, such as one that plays for another console too. */
export function refusedJobs(pull: Pull, nowMs: number): TesterLimit[] {
  return pull.jobs
    .filter(({ isTooMany }) => isTooMany === true)
    .map(({ tester: { name, node }, viewers: share, problem }) =>
      limitOf({ name, node, share }, nowMs, problem),
    );
}

/** `problem` is the tester's own sentence: it may have less room than it has by itself, since it plays for somebody else too. */
function limitOf({ name, node, share }: Share, nowMs: number, problem?: string): TesterLimit {
  const { viewerLimit = 0, machine } = node.view(name);
  const kind = toldBound(viewerLimit, machine);
  const needs = kind === 'ports' ? 'a local port' : 'an open file';
  const isTold = problem !== undefined && share <= viewerLimit;
  const words = isTold
    ? problem
    : `it can play at most ${viewers(viewerLimit)} and was to play ${viewers(share)}.`;
  return {
    node: name,
    kind,
    fromMs: nowMs,
    viewers: 0,
    sentence: `${name} was at its own limit: ${words}`,
    expected: `each viewer needs ${needs} of its tester`,
  };
}
