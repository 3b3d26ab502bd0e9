/** Longer texts are not searched: a server may send any. */
const maxCharacters = 100_000;
const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\/]/g, '\\$&');

const maxStars = 3;

/** Why a text can't be used as a pattern; undefined if it can. */
export function patternFault(pattern: string): string | undefined {
  if (pattern.split('*').length > maxStars + 1) return `has more than ${maxStars} "*"`;
  return pattern.split('{version}').length > 2 ? 'names {version} twice' : undefined;
}

/** Characters that a `*` stands for at most. */
const maxGap = 200;
/** So many occurrences of the first part are tried: the cost is bounded whatever the text. */
const maxTries = 1000;

/**
 * Looks for a pattern in a text: `*` stands for up to 200 characters of a line, `{version}` for a version, which is
 * returned; an empty one where the pattern names none. Undefined when the text does not contain it. Each part is the next
 * one behind the part before; no other combination is tried.
 */
function matchPattern(text: string, pattern: string): string | undefined {
  if (patternFault(pattern) !== undefined) return undefined;
  const [first, ...others] = pattern
    .split('*')
    .map((part) => new RegExp(part.split('{version}').map(escaped).join('v?(?<version>[\\w.+-]{1,40})'), 'gi'));
  if (!first) return undefined;
  const searched = text.slice(0, maxCharacters);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const start = first.exec(searched);
    if (!start) return undefined;
    if (start[0] === '') first.lastIndex += 1;
    const version = behind(searched, start, others);
    if (version !== undefined) return version;
  }
  return undefined;
}

/** The version in the parts that follow the first one; undefined when one of them does not follow. */
function behind(text: string, start: RegExpExecArray, parts: readonly RegExp[]): string | undefined {
  let version = start.groups?.['version'] ?? '';
  let end = start.index + start[0].length;
  for (const part of parts) {
    const rest = text.slice(end, end + maxGap + maxPart);
    part.lastIndex = 0;
    const found = part.exec(rest);
    if (!found || found.index > maxGap || /[\r\n]/.test(rest.slice(0, found.index))) return undefined;
    version ||= found.groups?.['version'] ?? '';
    end += found.index + found[0].length;
  }
  return version;
}

/** A part is as long as its pattern, with a version in it. */
const maxPart = 350;

/** The version in a text that contains all of the patterns; undefined when one is missing. */
export function matchAll(text: string, patterns: string | readonly string[]): string | undefined {
  const found = (typeof patterns === 'string' ? [patterns] : patterns).map((each) => matchPattern(text, each));
  return found.includes(undefined) ? undefined : (found.find(Boolean) ?? '');
}
