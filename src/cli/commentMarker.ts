import { createHash } from 'node:crypto';

/** First line of a comment, by which the next run of the same plan finds it. It is invisible in rendered Markdown. */
export function commentMarker(plan: string): string {
  // A hash: the path of a plan could contain the end of an HTML comment.
  return `<!-- fullhouse ${createHash('sha256').update(plan).digest('hex').slice(0, 16)} -->`;
}

/** The marker that a text starts with; undefined without one. */
export function markerOf(text: string): string | undefined {
  return /^<!-- fullhouse [0-9a-f]{16} -->/.exec(text)?.[0];
}
