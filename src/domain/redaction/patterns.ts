import { canonicalIpv6, hostNameSource, ipv4Source, ipv6Source, isPublicAddress, isHostName } from './addresses';
import type { IdentifyingKind } from './identifyingValues';

/** A value in a text that could identify the customer. */
export interface Hit {
  readonly kind: IdentifyingKind;
  readonly text: string;
}

/** Accounts of every machine. */
const commonUsers: ReadonlySet<string> = new Set(['root', 'admin', 'administrator']);

/** Names of URL parameters whose values grant access. */
const secretParameter =
  '[\\w.-]*?(?:token|secret|passwd|password|passphrase|pwd|pass|key|signature|sign|sig|jwt|credentials?|hmac|auth|session|sid)';
/** The same in sentences, where a shorter word is ambiguous. */
const secretWord =
  '(?:[\\w-]*(?:token|secret|passwd|password|passphrase|pwd|apikey|signature|credentials?)|(?:api|stream|access|private|publish|x-api)[-_ ]?key|jwt)';

const secretName = new RegExp(secretWord, 'i');
/** Whether what has this name is probably a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name);

interface SecretPattern {
  /** Required by every match: most texts are skipped by it. */
  readonly hint: RegExp;
  /** Group 1 is kept, the rest of each match removed. */
  readonly pattern: RegExp;
}

/** `user:password@` of an address. */
export const loginInAddress: SecretPattern = {
  hint: /:\/\/.*@/,
  pattern: /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@?#"']*:)[^\s/@"']+(?=@)/gi,
};
/** `?token=` and similar. */
export const secretInQuery: SecretPattern = {
  hint: /[?&;].*=/,
  pattern: new RegExp(`([?&;]${secretParameter}=)[^\\s&;#"'<>]+`, 'gi'),
};

/**
 * What no copy ever contains. The text around a key stays and shows what it was.
 * Order matters: complete blocks first.
 */
const secrets: readonly SecretPattern[] = [
  {
    hint: /-----BEGIN /,
    pattern: /()-----BEGIN [A-Z ]*(?:KEY|CERTIFICATE)-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g,
  },
  { hint: /eyJ/, pattern: /()\beyJ[\w-]{4,}(?:\.[\w-]*){0,2}/g },
  {
    hint: /Bearer|Basic|Digest/i,
    pattern: /(\b(?:Bearer|Basic|Digest)\s+)(?!realm\b)[A-Za-z0-9+/_.~-]{6,}=*/gi,
  },
  loginInAddress,
  secretInQuery,
  {
    hint: /token|secret|pass|pwd|key|signature|credential|jwt/i,
    pattern: new RegExp(
      `(\\b${secretWord}\\\\?["']?\\s*[=:]\\s*\\\\?["'\u201c]?)(?!\\(removed\\))[^\\s"'\\\\\u201d,;&)]+`,
      'gi',
    ),
  },
  { hint: /SHA256:/, pattern: /()\bSHA256:[A-Za-z0-9+/]{20,}=*/g },
  { hint: /AKIA|ASIA/, pattern: /()\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b/g },
  {
    hint: /(?:sk|pk|rk|gh[pos]|glpat|xox[abp])[-_]/,
    pattern: /()\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abp])[-_][A-Za-z0-9_-]{12,}/g,
  },
  // Long and of mixed letters and digits: not a word. Also long runs of hex.
  {
    hint: /[A-Za-z0-9_+-]{24}/,
    pattern:
      /()(?<![\w+.-])(?=[A-Za-z0-9_+-]*\d)(?=[A-Za-z0-9_+-]*[a-z])(?=[A-Za-z0-9_+-]*[A-Z])[A-Za-z0-9_+-]{24,}={0,2}(?![\w+-])/g,
  },
  { hint: /[0-9a-f]{32}/i, pattern: /()\b[0-9a-f]{32,}\b/gi },
];

export const removed = '(removed)';
/** Replaces a secret in everything that the engine outputs (`domain/secrets`). */
export const masked = '•••';

/** The text without keys, tokens and passwords; `onSecret` is called for each. */
export function withoutSecrets(text: string, onSecret?: (secret: string) => void): string {
  let clean = text;
  for (const { hint, pattern } of secrets) {
    if (!hint.test(clean)) continue;
    clean = clean.replace(pattern, (match: string, kept: string) => {
      const secret = match.slice(kept.length);
      if (secret === removed || secret.startsWith(masked)) return match;
      onSecret?.(secret);
      return `${kept}${removed}`;
    });
  }
  return clean;
}

const addressOfUrl =
  /\b[a-z][a-z0-9+.-]*:\/\/(?:([^\s/:@?#"']*)(?::[^\s/@"']*)?@)?(\[[0-9a-f:.%]+\]|[^\s/:?#"'\\,;)\]}>]+)/gi;
const userAtHost = /(?<![\w.+-])([a-z_][\w.-]{0,63})@(\[[0-9a-f:.]+\]|[a-z0-9][a-z0-9.-]*[a-z0-9]|[a-z0-9])/gi;
const ipv4 = new RegExp(ipv4Source, 'g');
const ipv6 = new RegExp(ipv6Source, 'gi');
const hostName = new RegExp(hostNameSource, 'gi');
const homeOf = /(?:\/home\/|\/Users\/|\\Users\\)([\w.-]+)/g;
/**
 * Below folders of users and products; what every system has (`/proc`, `/sys`, `/etc/sysctl.conf`) identifies nothing.
 */
const path =
  /(?<![\w:/.~-])(?:~|\/(?:home|root|Users|opt|srv|mnt|media|data|tmp|var|app|apps))(?:\/[\w.@+-]+)+|(?<![\w])[A-Z]:\\[^\s"'<>|?*]+/g;

/** Everything in a text that is recognised by its form. */
export function hitsIn(text: string): Hit[] {
  const hits: Hit[] = [];
  const add = (kind: IdentifyingKind, found: string | undefined): void => {
    if (found) hits.push({ kind, text: found });
  };
  const host = (found: string | undefined): void => {
    const bare = found?.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    // `{stream}` and similar are the program's own.
    if (bare && !/[{}$]/.test(bare) && !isPublicAddress(bare)) add('address', bare);
  };
  const user = (found: string | undefined): void => {
    if (found && !commonUsers.has(found.toLowerCase())) add('user', found);
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
  if (/:[^:]*:/.test(clean))
    for (const [found] of clean.matchAll(ipv6)) if (canonicalIpv6(found)) host(found.split('%')[0]);
  if (/[a-z0-9]\.[a-z]{2}/i.test(clean))
    for (const [found] of clean.matchAll(hostName)) if (isHostName(found)) host(found);
  if (!has('/') && !has('\\')) return hits;
  for (const [, name] of clean.matchAll(homeOf)) user(name);
  for (const [found] of clean.matchAll(path)) add('file', found.replace(/[.]+$/, ''));
  return hits;
}

/** `user@host:port`, several separated by commas, as in the SSH settings. */
export function loginHits(text: string): Hit[] {
  return text.split(',').flatMap((login): Hit[] => {
    const match = /^(?:([^@\s]+)@)?(\[[0-9a-f:.]+\]|[^:\s]+|[0-9a-f:]{3,})(?::(\d+))?$/i.exec(login.trim());
    if (!match) return hitsIn(login);
    const [, user, host = ''] = match;
    const bare = host.replace(/^\[|\]$/g, '');
    return [
      ...(user && !commonUsers.has(user.toLowerCase()) ? [{ kind: 'user', text: user } as const] : []),
      ...(isPublicAddress(bare) ? [] : [{ kind: 'address', text: bare } as const]),
    ];
  });
}
