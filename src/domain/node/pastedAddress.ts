import { urlKeys, streamAddresses } from '../model/addressKeys';
import { typedPassword } from './typedPassword';

/** What people paste in place of an address, split into its parts. */
export interface PastedAddress {
  readonly address: string;
  readonly user?: string;
  /** A password, or a bearer token where there is no user. */
  readonly password?: string;
  /** The certificate is not to be checked. */
  readonly selfSigned?: true;
}

/**
 * The address in a pasted curl line, in an encoder's server and stream key (as OBS shows them, in one or two lines, with
 * or without their labels), or in any other text that contains one address. Undefined for a plain address.
 */
export function pastedAddress(text: string): PastedAddress | undefined {
  const pasted = text.trim();
  if (!/\s/.test(pasted)) return undefined;
  if (/^(?:\$\s+)?curl(?:\.exe)?\s/.test(pasted)) return ofCurl(wordsOf(pasted.replace(/^\$\s+/, '')).slice(1));
  return ofEncoder(pasted) ?? onlyAddress(pasted);
}

/** Letters of curl's short options with a value, and its long ones; a cookie or a key is no part of an address. */
const lettersWithValue = 'AbcCdDeEFhHKmoPQrtTuUwxXyYz';
const namesWithValue =
  /^(?:user|header|oauth2-bearer|url|request(?:-target)?|data(?:-\w+)?|json|form(?:-string)?|output(?:-dir)?|user-agent|referer|cookie(?:-jar)?|max-time|connect-timeout|upload-file|write-out|(?:pre)?proxy(?:-(?:user|header|pass|key|cert|cacert))?|noproxy|socks\w+|cacert|capath|cert(?:-type)?|key(?:-type)?|pass|resolve|connect-to|interface|retry(?:-\w+)?|limit-rate|range|config|max-redirs|url-query|unix-socket|aws-sigv4|ciphers|pinnedpubkey|doh-url|dns-servers)$/;
/** Those without: the next word may be the address. */
const namesWithoutValue =
  /^(?:insecure|silent|show-error|fail(?:-\w+)*|location(?:-trusted)?|verbose|include|head|get|compressed|http[\d.]+(?:-\w+)*|no-[\w-]+|globoff|ipv[46]|digest|basic|ntlm|negotiate|anyauth|ssl[\w-]*|tlsv[\d.]+|remote-name|progress-bar|path-as-is|parallel)$/;

/** An option of curl, with its value where it has one. Short ones are a letter. */
interface CurlOption {
  readonly name: string;
  readonly value?: string | undefined;
}

/** The options of a curl line, and the words that are none. */
function optionsOf(words: readonly string[]): {
  readonly options: readonly CurlOption[];
  readonly others: readonly string[];
} {
  const options: CurlOption[] = [];
  const others: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = (): string => words[(at += 1)] ?? '';
    if (word.startsWith('--')) {
      const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
      // An unknown option may have a value, which may be a password.
      const isNextIts = !namesWithoutValue.test(name) && !/^-|:\/\//.test(words[at + 1] ?? '-');
      options.push({ name, value: value ?? (namesWithValue.test(name) || isNextIts ? next() : undefined) });
    } else if (word.startsWith('-')) {
      // Several letters in one word: one with a value has the rest of the word, or the next one.
      for (let letter = 1; letter < word.length; letter += 1) {
        const name = word[letter] ?? '';
        const hasValue = lettersWithValue.includes(name);
        options.push({ name, value: hasValue ? word.slice(letter + 1) || next() : undefined });
        if (hasValue) break;
      }
    } else others.push(word);
  }
  return { options, others };
}

function ofCurl(words: readonly string[]): PastedAddress | undefined {
  const { options, others } = optionsOf(words);
  let [named, user, password]: (string | undefined)[] = [];
  let isInsecure = false;
  for (const { name, value = '' } of options) {
    if (name === 'u' || name === 'user') [user, password] = split(value);
    else if (name === 'H' || name === 'header') password = bearerOf(value) ?? password;
    else if (name === 'oauth2-bearer') password = value;
    else if (name === 'k' || name === 'insecure') isInsecure = true;
    else if (name === 'url') named = value;
  }
  const address = named ?? others.find((word) => word.includes('://')) ?? others[0];
  if (address === undefined || address === '') return undefined;
  const own = typedPassword(address);
  return {
    address: own?.address ?? address,
    ...withLogin(user ?? own?.user, password ?? own?.password),
    ...(isInsecure ? { selfSigned: true } : {}),
  };
}

const withLogin = (
  user: string | undefined,
  password: string | undefined,
): Pick<PastedAddress, 'user' | 'password'> => ({
  ...(user ? { user } : {}),
  ...(password ? { password } : {}),
});

const split = (login: string): [string, string | undefined] => {
  const colon = login.indexOf(':');
  return colon < 0 ? [login, undefined] : [login.slice(0, colon), login.slice(colon + 1)];
};

const bearerOf = (header: string): string | undefined => /^authorization:\s*bearer\s+(\S+)$/i.exec(header)?.[1];

/** The words of a shell line: quotes and backslashes as in POSIX shells, continued lines joined. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  for (const [, word = ''] of line
    .replace(/[\\^`]\r?\n/g, ' ')
    .matchAll(/((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+)/g))
    words.push(
      word.replace(
        /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
        (_, single: string | undefined, double: string | undefined, one: string | undefined) =>
          single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? one ?? '',
      ),
    );
  return words;
}

const labels = /(?:^|\s)(?:(?:stream\s*)?(?:server|url|address|key|name)|(?:bearer\s*)?token)\s*[:=]\s+/gi;
const published = /^(?:rtmps?|srt):\/\/|^https?:\/\/\S*\/whip(?=[/?]|$)/i;

/** `SERVER KEY`: a stream key is the end of the address, over WHIP it is the bearer token. */
function ofEncoder(text: string): PastedAddress | undefined {
  const parts = text
    .replace(labels, ' ')
    .split(/\s+/)
    .filter((part) => part !== '');
  const [server, key, more] = parts;
  if (server === undefined || key === undefined || more !== undefined || !published.test(server)) return undefined;
  if (/:\/\//.test(key)) return undefined;
  if (/^https?:/i.test(server)) return { address: server, password: key };
  if (/^srt:/i.test(server)) return { address: `${server}${server.includes('?') ? '&' : '?'}streamid=${key}` };
  return { address: `${server.replace(/\/+$/, '')}/${key.replace(/^\/+/, '')}` };
}

const schemes = [...new Set(urlKeys.flatMap((key) => streamAddresses[key].schemes))].join('|');
const anyAddress = new RegExp(`(?:${schemes}|webrtc)://[^\\s"'<>|\\\\^\`]+`, 'gi');

/** The address in a command line, a page or a sentence, if it contains one only. */
function onlyAddress(text: string): PastedAddress | undefined {
  const found = [...new Set([...text.matchAll(anyAddress)].map(([address]) => address.replace(/[.,;:)\]]+$/, '')))];
  const [address] = found;
  if (address === undefined || found.length > 1) return undefined;
  const own = typedPassword(address);
  return own ? { address: own.address, ...withLogin(own.user, own.password) } : { address };
}
