import type { NodeChange } from '../fleet/node';

/** Whether a node reports what happened before the run, as a link does that was interrupted then. */
export function isEarlier(news: NodeChange, startedMs: number): boolean {
  return (timeOf(news) ?? startedMs) < startedMs;
}

/** Undefined for news that has no time of its own, and for pulls: those of another run have other names. */
function timeOf(news: NodeChange): number | undefined {
  if (news.kind === 'server') return news.sample.timeMs;
  return 'timeMs' in news ? news.timeMs : undefined;
}
