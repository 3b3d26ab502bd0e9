/** A sentence in parts; the gain or loss is set in bold: `B connected **736 more viewers** and ...`. */
export function emphasised(sentence: string): ReadonlyArray<{ readonly text: string; readonly isStrong: boolean }> {
  const match = /\d[\d,]* more viewers|(?:Both|All \d) [a-z]+ [\d,]+ viewers|the most viewers, \d[\d,]*/.exec(sentence);
  if (!match) return [{ text: sentence, isStrong: false }];
  const end = match.index + match[0].length;
  return [
    { text: sentence.slice(0, match.index), isStrong: false },
    { text: match[0], isStrong: true },
    { text: sentence.slice(end), isStrong: false },
  ].filter(({ text }) => text !== '');
}
