const mostCharacters = 600;

/** A sentence that quotes what others wrote, cut in its middle where that is longer than anybody reads. */
export function shortened(sentence: string): string {
  if (sentence.length <= mostCharacters) return sentence;
  const half = mostCharacters / 2 - 1;
  return `${sentence.slice(0, half)} … ${sentence.slice(-half)}`;
}
