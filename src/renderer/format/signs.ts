/** Sentences of the engine are plain text; on the screen a sign is one sign. */
export function withSigns(text: string): string {
  return text.replaceAll('<=', '≤').replaceAll('>=', '≥').replaceAll('+-', '±');
}
