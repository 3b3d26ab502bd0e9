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

/** Options of curl with a value that is no part of an address. */
const withValue =
  /^(?:-[XdFoAebcmTwxyYCDEKPQrtzhU]|--(?:request|data(?:-\w+)?|json|form|output|user-agent|referer|cookie(?:-jar)?|max-time|connect-timeout|upload-file|write-out|proxy|proxy-user|cacert|cert|key|resolve|connect-to|interface|retry|limit-rate|range))$/;

function ofCurl(words: readonly string[]): PastedAddress | undefined {
  let [address, user, password]: (string | undefined)[] = [];
  let isInsecure = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = (): string => words[(at += 1)] ?? '';
    if (/^-u.|^--user=/.test(word)) [user, password] = split(word.replace(/^-u|^--user=/, ''));
    else if (word === '-u' || word === '--user') [user, password] = split(next());
    else if (word === '-H' || word === '--header') password = bearerOf(next()) ?? password;
    else if (/^-H./.test(word)) password = bearerOf(word.slice(2)) ?? password;
    else if (word === '--oauth2-bearer') password = next();
    else if (word === '-k' || word === '--insecure' || /^-[sSfLivIgN]*k[sSfLivIgN]*$/.test(word)) isInsecure = true;
    else if (word === '--url') address = next();
    else if (withValue.test(word)) next();
    else if (!word.startsWith('-')) address ??= word;
  }
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
