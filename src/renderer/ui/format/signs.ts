/** Engine sentences are ASCII; the window shows typographic signs. */
export function withSigns(text: string): string {
  return text.replaceAll('<=', '≤').replaceAll('>=', '≥').replaceAll('+-', '±');
}
