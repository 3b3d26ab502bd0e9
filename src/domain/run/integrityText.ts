import type { RunIntegrity } from '../model/run';

const maxSentences = 3;

/** Caveats about a run's data, in one line; undefined if every row is as recorded. */
export function integrityText(integrity: RunIntegrity | undefined): string | undefined {
  if (!integrity || integrity.state === 'verified') return undefined;
  const { state, sentences } = integrity;
  const more = sentences.length - maxSentences;
  const shown = more > 1 ? [...sentences.slice(0, maxSentences), `${more} more in the log.`] : sentences;
  return [state === 'damaged' ? 'Damaged.' : 'Unverified.', ...shown].join(' ');
}
