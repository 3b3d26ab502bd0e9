import found from './wordSources.json?program-words';

/**
 * The program's own words: those of the texts in its sources. What else a text contains is from elsewhere: a name, an
 * answer of a server, an error of a system. So an anonymized copy needs no list of what could identify someone.
 */
/** Made when first asked for: most starts of the app redact nothing. */
const setOf = (all: () => readonly string[]): (() => ReadonlySet<string>) => {
  let made: ReadonlySet<string> | undefined;
  return () => (made ??= new Set(all()));
};
const words = setOf(() => found.words);
const phrases = setOf(() => found.phrases);
/** The letters of all words: parts of a name such as `ports_media_free`. */
const parts = setOf(() => found.words.flatMap((word) => word.match(/\p{L}+/gu) ?? []));

/** Stands for a value that is known, in a text that is examined; from the private use area of Unicode. */
export const opaque = '\ue000';

/** What follows a figure without a space. */
const units =
  '(?:%|‰|°|ms|µs|us|ns|s|min|h|d|w|[kKMGT]i?(?:[Bb](?:it)?(?:\\/s)?)?|B|bit|Hz|[kMG]Hz|fps|p|x|px|st|nd|rd|th|MP)';
const number = '\\d{1,6}(?:\\.\\d{1,3})?|\\d{1,3}(?:,\\d{3}){1,4}(?:\\.\\d{1,3})?';
const figure = new RegExp(`^[~≈±+−-]*(?:${number})(?:\\/s|${units})?(?:[–/x-](?:${number})${units}?){0,2}$`, 'iu');
/** As plans write them, `1m40s`. */
const duration = /^(?:\d{1,6}(?:\.\d{1,3})?(?:ms|[smhd])){1,4}$/;
const status = /^http-[1-5]\d\d$/;
/** Times of a run, times of day and dates; versions of up to four numbers. */
const time = /^(?:\d{4}-\d\d-\d\d(?:t\d\d)?|\d\d(?:\.\d{1,9})?z)$/;
const version = /^v?\d{1,4}(?:\.\d{1,4}){1,3}$/;
/** An address is no version. */
const quad = /^(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}$/;
/** Names that the program gives: nodes, jobs, pseudonyms. */
const given =
  /^(?:origin|tester|audience|lab|local|player|pull|publish|reason|host|node|stream|user|file|run|program|label|interface|figure|name|identity)-\d{1,6}$|^label_\d{1,6}$/;
/** Longer numbers are serial, customer or telephone numbers, unless they are the value of a setting or bytes. */
const longNumber = /^\d{7,13}$/;

export interface Token {
  readonly start: number;
  readonly end: number;
  readonly isOwn: boolean;
}

const tokenPattern = /[^\s=:;,()[\]{}<>"“”‘’«»|!?…·•→↔×'`]+/g;
const edges = /^[^\p{L}\p{N}\ue000]+|[^\p{L}\p{N}\ue000%‰°]+$/gu;

/** The words of a text, each with whether it is one of the program. */
export function tokensOf(text: string, from = 0, to = text.length): Token[] {
  const part = text.slice(from, to);
  return [...part.matchAll(tokenPattern)].map((match): Token => {
    const start = from + match.index;
    const [token] = match;
    const isValue =
      part[match.index - 1] === '=' ||
      /^\s(?:bytes|B)\b/.test(part.slice(match.index + token.length, match.index + token.length + 7));
    return { start, end: start + token.length, isOwn: isOwnToken(token, isValue) };
  });
}

function isOwnToken(token: string, isValue: boolean): boolean {
  const bare = token.replace(edges, '').toLowerCase();
  if (bare === '' || words().has(bare) || figure.test(bare) || time.test(bare)) return true;
  if (duration.test(bare) || status.test(bare) || (version.test(bare) && !quad.test(bare))) return true;
  if (given.test(bare) || (isValue && longNumber.test(bare))) return true;
  if (bare.includes(opaque)) return bare.split(opaque).every((rest) => rest === '' || isOwnToken(rest, false));
  // `run's` is one word there, `whip/whep` two.
  return bare.includes('/') && bare.split('/').every((part) => part.length > 1 && words().has(part));
}

/** Whether a text has words of the program only. */
export const isOwnText = (text: string): boolean => tokensOf(text).every(({ isOwn }) => isOwn);

/** Whether the program quotes exactly this somewhere, such as a command. */
export const isOwnPhrase = (text: string): boolean => phrases().has(text.trim().toLowerCase());

/** Whether a technical name such as `ports_media_free` consists of words of the program. */
export const hasOwnParts = (name: string): boolean =>
  (name.match(/\p{L}+/gu) ?? []).every((part) => part.length === 1 || parts().has(part.toLowerCase()));

/** Whether the program itself cites an address, such as the source of a rule. */
export const isOwnAddress = (address: string): boolean =>
  words().has(
    address
      .toLowerCase()
      .replace(/^[a-z0-9+.-]*:\/*/, '')
      .replace(edges, ''),
  );
