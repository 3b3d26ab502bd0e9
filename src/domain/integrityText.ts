import type { RunIntegrity } from './run';

const mostSentences = 3;

/** What is to be known of a run's data, in one line; undefined where every row is what was recorded. */
export function integrityText(integrity: RunIntegrity | undefined): string | undefined {
  if (!integrity || integrity.state === 'verified') return undefined;
  const { state, sentences } = integrity;
  const more = sentences.length - mostSentences;
  const shown = more > 1 ? [...sentences.slice(0, mostSentences), `${more} more in the log.`] : sentences;
  return [state === 'damaged' ? 'Damaged.' : 'Unverified.', ...shown].join(' ');
}
