/** Longer texts are not searched: a server may send any. */
const maxCharacters = 100_000;
const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\/]/g, '\\$&');

const maxStars = 3;

/** Why a text can't be used as a pattern; undefined if it can. */
export function patternFault(pattern: string): string | undefined {
  if (pattern.split('*').length > maxStars + 1) return `has more than ${maxStars} "*"`;
  return pattern.split('{version}').length > 2 ? 'names {version} twice' : undefined;
}

/**
 * Looks for a pattern in a text: `*` stands for up to 200 characters of a line, `{version}` for a version, which is
 * returned; an empty one where the pattern names none. Undefined when the text does not contain it. */
function matchPattern(text: string, pattern: string): string | undefined {
  if (patternFault(pattern) !== undefined) return undefined;
  const parts = pattern.split('*');
  const source = parts
    .map((part) => part.split('{version}').map(escaped).join('v?(?<version>[\\w.+-]{1,40})'))
    .join('[^\\r\\n]{0,200}?');
  const match = new RegExp(source, 'i').exec(text.slice(0, maxCharacters));
  return match ? (match.groups?.['version'] ?? '') : undefined;
}

/** The version in a text that contains all of the patterns; undefined when one is missing. */
export function matchAll(text: string, patterns: string | readonly string[]): string | undefined {
  const found = (typeof patterns === 'string' ? [patterns] : patterns).map((each) => matchPattern(text, each));
  return found.includes(undefined) ? undefined : (found.find(Boolean) ?? '');
}
