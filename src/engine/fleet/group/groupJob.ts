import type { PullOrder, PullSample } from '../../load/driver';
import { MemberPart } from './memberPart';
import { mergedSample } from './mergedSample';

/** In how many samples a job is still included after it has ended, as an agent does. */
const endedSamples = 5;

/** A job of a group, and the share of each member. */
export class GroupJob {
  /** By member. */
  readonly parts = new Map<number, MemberPart>();
  /** No longer in the samples; its viewers can still be listed. */
  isHistory = false;
  isLeaving = false;
  /** With the secrets of its viewers; only while a replacement may need it. */
  private pending: PullOrder | undefined;
  private ended = 0;

  constructor(
    order: PullOrder,
    readonly startedMs: number,
    shares: ReadonlyArray<{ readonly member: number; readonly viewers: number }>,
  ) {
    this.name = order.job;
    this.pending = order;
    let offset = 0;
    for (const { member, viewers } of shares) {
      if (viewers > 0) this.parts.set(member, new MemberPart(offset, viewers));
      offset += viewers;
    }
  }

  readonly name: string;

  /** Its order while it may have to be given again, by the time that has passed since its start. */
  orderNow(nowMs: number): PullOrder | undefined {
    const order = this.pending;
    return order && { ...order, networkForMs: (order.networkForMs ?? 0) + nowMs - this.startedMs };
  }

  get isOver(): boolean {
    return [...this.parts.values()].every((part) => part.isOver);
  }

  /** The sample of a round, until it has ended for some rounds. */
  sample(timeMs: number): PullSample | undefined {
    const parts = [...this.parts.values()];
    if (this.isHistory) return undefined;
    const merged = mergedSample(this.name, timeMs, parts);
    for (const part of parts) part.taken = [];
    if (merged.state === 'ended') this.ended += 1;
    if (this.ended >= endedSamples) {
      this.isHistory = true;
      this.pending = undefined;
    }
    return merged;
  }

  /** The viewers of an ended job no longer need its order. */
  leaving(): void {
    this.isLeaving = true;
    this.pending = undefined;
  }

  /** The member with a viewer, and the viewer's number there. */
  find(viewer: number): { readonly member: number; readonly viewer: number } | undefined {
    for (const [member, { offset, viewers }] of this.parts)
      if (viewer > offset && viewer <= offset + viewers) return { member, viewer: viewer - offset };
    return undefined;
  }
}
