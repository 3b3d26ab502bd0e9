import { canonicalIpv6, hostNameSource, ipv4Source, ipv6Source, isPublicAddress, isHostName } from './addresses';
import type { IdentifyingKind } from './identifyingValues';

/** A value in a text that could identify the customer. */
export interface Hit {
  readonly kind: IdentifyingKind;
  readonly text: string;
}

/** Stands for what is removed already; from the private use area of Unicode. */
const opaque = '\ue000';

/** Accounts of every machine. */
const commonUsers: ReadonlySet<string> = new Set(['root', 'admin', 'administrator']);
export const isCommonUser = (name: string): boolean => commonUsers.has(name.toLowerCase());

/** Names of URL parameters whose values grant access. */
const secretParameter =
  '[\\w.-]*?(?:token|secret|passwd|password|passphrase|pwd|pass|key|signature|sign|sig|jwt|credentials?|hmac|auth|session|sid)';
/** Words for secrets in sentences, where a shorter word is ambiguous. */
const secretWord =
  '(?:[\\w-]{0,60}?(?:token|secret|passwd|password|passphrase|pwd|apikey|signature|credentials?)|(?:api|stream|access|private|publish|x-api|account|license|licence)[-_ ]?key|jwt|serial(?:[-_ ]?(?:no|number))?)';

const secretName = new RegExp(secretWord, 'i');
/** Whether what has this name is probably a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);

interface SecretPattern {
  /** Required by every match: most texts are skipped by it. */
  readonly hint: RegExp;
  /** Group 1 is kept, the rest of each match removed. Linear in the text: each start and each repetition is bounded. */
  readonly pattern: RegExp;
  /** Whether a match is one. */
  readonly confirms?: (found: string) => boolean;
}

/** `user:password@` of an address. */
export const loginInAddress: SecretPattern = {
  hint: /@/,
  pattern: /((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@?#"']*:)[^\s/@"']+(?=@)/gi,
};
/** `?token=` and similar. */
export const secretInQuery: SecretPattern = {
  hint: /[?&;]/,
  pattern: new RegExp(`([?&;]${secretParameter}=)[^\\s&;#"'<>]+`, 'gi'),
};

/**
 * What no copy ever contains: keys, and numbers that belong to a person. The text around a key stays and shows what it
 * was. Order matters: complete blocks first.
 */
const secrets: readonly SecretPattern[] = [
  {
    hint: /-----BEGIN /,
    pattern: /()-----BEGIN [A-Z0-9 ]{0,40}-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/g,
  },
  { hint: /eyJ/, pattern: /()\beyJ[\w-]{4,}(?:\.[\w-]*){0,4}/g },
  {
    hint: /Bearer|Basic|Digest/i,
    pattern: /(\b(?:Bearer|Basic|Digest)\s{1,8})(?!realm\b)[A-Za-z0-9+/_.~-]{6,}=*/gi,
  },
  // A connection string: settings separated by semicolons, one of them an account.
  {
    hint: /;/,
    pattern:
      /()(?<![\w=])(?:[A-Za-z][A-Za-z ]{1,30}=[^;\s"']{0,300};){2,40}(?:[A-Za-z][A-Za-z ]{1,30}=[^;\s"']{0,300})?/g,
    confirms: (found) =>
      /\b(?:AccountKey|SharedAccessKey|Password|Pwd|User ?Id|Uid|Initial Catalog|Data Source)=/i.test(found),
  },
  loginInAddress,
  secretInQuery,
  {
    hint: /token|secret|pass|pwd|key|signature|credential|jwt|serial/i,
    pattern: new RegExp(
      `((?<![\\w-])${secretWord}\\\\?["']?\\s{0,4}[=:]\\s{0,4}\\\\?["'\u201c]?)(?!\\(removed\\))[^\\s"'\\\\\u201d,;&)]+`,
      'gi',
    ),
  },
  { hint: /SHA256:/, pattern: /()\bSHA256:[A-Za-z0-9+/]{20,}=*/g },
  { hint: /AKIA|ASIA/, pattern: /()\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b/g },
  {
    hint: /(?:sk|pk|rk|gh[opsur]|github_pat|glpat|gldt|glrt|xox[a-z]|xapp|npm|hf|pypi|dop_v1|shpat|SG|ya29|AIza|whsec)[-_.A-Za-z0-9]/,
    pattern:
      /()\b(?:(?:sk|pk|rk|gh[opsur]|github_pat|glpat|gldt|glrt|xox[a-z]|xapp|npm|hf|pypi|dop_v1|shpat|whsec)[-_]|SG\.|ya29\.|AIza)[A-Za-z0-9_.-]{12,}/g,
  },
  { hint: /arn:/, pattern: /()\barn:aws[\w-]{0,12}:[^\s"'<>,;)]+/g },
  {
    hint: /(?:projects|subscriptions|resourceGroups|organizations|tenants|accounts)\//i,
    pattern:
      /(\b(?:projects|subscriptions|resourceGroups|organizations|tenants|accounts)\/)[\w.-]{2,64}(?:\/[\w.-]{1,64}){0,12}/gi,
  },
  { hint: /-/, pattern: /()\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi },
  // Long and of mixed letters and digits: not a word. Also long runs of hex.
  {
    hint: /[A-Za-z0-9_+-]{24}/,
    pattern: /()(?<![\w+.-])[A-Za-z0-9_+-]{24,}={0,2}(?![\w+-])/g,
    confirms: isKeyLike,
  },
  {
    hint: /[A-Za-z0-9_+/-]{20}/,
    pattern: /()(?<![\w+/.-])[A-Za-z0-9_+/-]{20,}={0,2}(?![\w+/=-])/g,
    confirms: isKeyLike,
  },
  {
    hint: /[0-9a-f]{24}/i,
    pattern: /()(?<![0-9a-z])[0-9a-f]{24,}(?![0-9a-z])/gi,
    confirms: (found) => /\d/.test(found),
  },
  {
    hint: /\d{2}/,
    pattern: /()(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/gi,
    confirms: isIban,
  },
  { hint: /\d/, pattern: /()(?<![\d.,-])\d(?:[ -]?\d){12,18}(?![\d.,-]*\d)/g, confirms: isCardNumber },
  {
    hint: /\d\.\d{4}/,
    pattern:
      /()(?<![\d.])[+-]?\d{1,3}\.\d{4,10}\s{0,3}°?\s{0,2}[NSEW]?\s{0,3}[,;/ ]\s{0,3}[+-]?\d{1,3}\.\d{4,10}(?!\d|\.\d)/g,
  },
  {
    hint: /°/,
    pattern:
      /()\d{1,3}°\s{0,2}\d{1,2}['\u2032][^\s,;]{0,12}(?:[\s,;]{1,3}\d{1,3}°\s{0,2}\d{1,2}['\u2032][^\s,;]{0,12})?/g,
  },
  {
    hint: /\d[\d\s()./-]{5}/,
    pattern: /()(?<![\w.,:=])(?:\+|\()?\d[\d\s()./-]{5,22}\d(?![\w:])/g,
    confirms: isPhoneNumber,
  },
];

/** Letters of both cases and digits, mixed as no word or path is. */
function isKeyLike(found: string): boolean {
  const text = found.replace(/=+$/, '');
  if (!/\d/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false;
  if ((text.match(/\//g) ?? []).length > text.length / 8) return false;
  let changes = 0;
  for (let at = 1; at < text.length; at += 1) if (classOf(text[at]) !== classOf(text[at - 1])) changes += 1;
  return changes >= (text.length >= 24 && !text.includes('/') ? 3 : 6);
}

function classOf(sign = ''): string {
  return /\d/.test(sign) ? 'digit' : /[a-z]/.test(sign) ? 'lower' : /[A-Z]/.test(sign) ? 'upper' : 'sign';
}

/** By its check digits (ISO 13616). */
function isIban(found: string): boolean {
  const text = found.replaceAll(' ', '').toUpperCase();
  let rest = 0;
  for (const sign of text.slice(4) + text.slice(0, 4)) {
    const value = parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** By its check digit (Luhn, ISO 7812). */
function isCardNumber(found: string): boolean {
  const digits = found.replace(/\D/g, '');
  if (/^(\d)\1*$/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at]);
    sum += at % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit;
  }
  return sum % 10 === 0;
}

/** Groups of digits with a country or area code; not a date, a version or a sequence of figures. */
function isPhoneNumber(found: string): boolean {
  const groups = found.match(/\d+/g) ?? [];
  const length = groups.join('').length;
  if (length < 7 || length > 15 || /^\d{4}-\d\d-\d\d/.test(found) || /^[\d.]+$/.test(found)) return false;
  if (found.startsWith('+') || found.startsWith('(')) return true;
  if (/^0\d/.test(found) && !/^0\d+$/.test(found)) return groups.every((group) => group.length <= 9);
  return groups.length >= 3 && /^\d{3,4}([ ./-])\d{3,4}\1\d{3,4}$/.test(found);
}

export const removed = '(removed)';
/** Replaces a secret in everything that the engine outputs (`domain/secrets`). */
export const masked = '•••';

/** Where a text has keys and tokens, in order. */
export function secretSpans(text: string): Array<{ readonly start: number; readonly end: number }> {
  const spans: Array<{ start: number; end: number }> = [];
  let left = text;
  for (const { hint, pattern, confirms } of secrets) {
    if (!hint.test(left)) continue;
    left = left.replace(pattern, (match: string, kept: string, ...rest: unknown[]) => {
      const secret = match.slice(kept.length);
      const at = rest.find((each) => typeof each === 'number') ?? 0;
      if (secret === '' || secret.startsWith(removed) || secret.startsWith(masked) || secret.includes(opaque))
        return match;
      if (confirms && !confirms(secret)) return match;
      spans.push({ start: at + kept.length, end: at + match.length });
      return kept + opaque.repeat(secret.length);
    });
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** The text without keys, tokens and passwords; `onSecret` is called for each. */
export function withoutSecrets(text: string, onSecret?: (secret: string) => void): string {
  let clean = '';
  let done = 0;
  for (const { start, end } of secretSpans(text)) {
    onSecret?.(text.slice(start, end));
    clean += text.slice(done, start) + removed;
    done = end;
  }
  return clean + text.slice(done);
}

const addressOfUrl =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/(?:([^\s/:@?#"']*)(?::[^\s/@"']*)?@)?(\[[0-9a-f:.%]+\]|[^\s/:?#"'\\,;)\]}>]+)/gi;
const userAtHost = /(?<![\w.+-])([a-z_][\w.-]{0,63})@(\[[0-9a-f:.]+\]|[a-z0-9][a-z0-9.-]*[a-z0-9]|[a-z0-9])/gi;
const ipv4 = new RegExp(ipv4Source, 'g');
const ipv6 = new RegExp(ipv6Source, 'gi');
const hostName = new RegExp(hostNameSource, 'gi');
const homeOf = /(?:\/home\/|\/Users\/|\\Users\\)([\w.-]+)/g;
/**
 * Below folders of users and products; what every system has (`/proc`, `/sys`, `/etc/sysctl.conf`) identifies nothing.
 */
const path =
  /(?<![\w:/.~-])(?:~|\/(?:home|root|Users|opt|srv|mnt|media|data|tmp|var|app|apps|Volumes|nfs|export|share|storage))(?:\/[\p{L}\p{N}_.@+-]+)+|(?<!\w)[A-Z]:[\\/][^\s"'<>|?*]+|(?<![\w\\])\\\\[\p{L}\p{N}_.$-]{1,64}(?:\\+[^\\\s"'<>|?*]{1,128}){1,20}/gu;
/** Addresses of network cards, in the notations of Linux, Windows and Cisco. */
const hardwareAddress =
  /(?<![\w:.-])(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4,6}[0-9a-f]{2}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2,3}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{12})(?![\w:-])/gi;

/** Everything in a text that is recognised by its form. */
export function hitsIn(text: string): Hit[] {
  const hits: Hit[] = [];
  const add = (kind: IdentifyingKind, found: string | undefined): void => {
    if (found) hits.push({ kind, text: found });
  };
  const host = (found: string | undefined): void => {
    const bare = found?.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    // `{stream}`, `HOST` and similar are the program's own.
    if (bare && !/[{}$]|^HOST$/.test(bare) && !isPublicAddress(bare)) add('address', bare);
  };
  const user = (found: string | undefined): void => {
    if (found && !isCommonUser(found)) add('user', found);
  };
  const clean = withoutSecrets(text, (secret) => add('secret', secret));
  const has = (sign: string): boolean => clean.includes(sign);
  if (has('://'))
    for (const [, name, of] of clean.matchAll(addressOfUrl)) {
      user(name);
      host(of);
    }
  if (has('@'))
    for (const [, name, of] of clean.matchAll(userAtHost)) {
      user(name);
      host(of);
    }
  if (/\d\.\d/.test(clean)) for (const [found] of clean.matchAll(ipv4)) host(found);
  if (/:[^:]*:/.test(clean)) for (const [found] of clean.matchAll(ipv6)) if (canonicalIpv6(found)) host(found);
  if (/[0-9a-f]{2}[:-]?[0-9a-f]{2}|[0-9a-f]\.[0-9a-f]/i.test(clean))
    for (const [found] of clean.matchAll(hardwareAddress)) if (!/^\d+$/.test(found)) add('address', found);
  if (/[a-z0-9]\.[a-z]{2}/i.test(clean))
    for (const [found] of clean.matchAll(hostName)) if (isHostName(found)) host(found);
  if (!has('/') && !has('\\')) return hits;
  for (const [, name] of clean.matchAll(homeOf)) user(name);
  for (const [found] of clean.matchAll(path)) add('file', found.replace(/[.]+$/, ''));
  return hits;
}
