const maxCharacters = 600;

/** A sentence that quotes foreign text, shortened in the middle if it is too long to read. */
export function shortened(sentence: string): string {
  if (sentence.length <= maxCharacters) return sentence;
  const half = maxCharacters / 2 - 1;
  return `${sentence.slice(0, half)} … ${sentence.slice(-half)}`;
}
