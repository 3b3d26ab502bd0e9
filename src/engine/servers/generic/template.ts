/** A stream's address with `{stream}` in the place of its name, and that name. */
export interface Template {
  readonly address: string;
  /** Undefined when no part of the address looks like a name. */
  readonly stream?: string;
}

/** Last parts of a path that name no stream, e.g. `/cam/whep` and `/cam/index.m3u8`. */
const endings = /^(whep|whip|index\.m3u8|playlist\.m3u8|master\.m3u8|chunklist\.m3u8)$/i;
const extension = /\.(m3u8|flv)$/i;

/** Finds the stream's name in a typed address: `?stream=`, else the last part of the path that can be one. */
export function templateOf(typed: URL): Template {
  const url = new URL(typed.href);
  url.username = '';
  url.password = '';
  url.hash = '';
  const named = url.searchParams.get('stream');
  if (named !== null && named !== '')
    return {
      address: url.href.replace(/([?&]stream=)[^&]*/, '$1{stream}'),
      stream: named,
    };
  const parts = url.pathname.split('/');
  const at = lastName(parts);
  if (at === undefined) return { address: url.href };
  const part = parts[at] ?? '';
  const suffix = extension.exec(part)?.[0] ?? '';
  parts[at] = `{stream}${suffix}`;
  const stream = decodeURIComponent(part.slice(0, part.length - suffix.length));
  // Not by URL, which would write the braces as %7B.
  const origin = url.href.slice(0, url.href.indexOf(url.pathname, url.href.indexOf('//') + 2));
  return { address: `${origin}${parts.join('/')}${url.search}`, stream };
}

function lastName(parts: readonly string[]): number | undefined {
  for (let index = parts.length - 1; index > 0; index -= 1) {
    const part = parts[index] ?? '';
    if (part !== '' && !endings.test(part)) return index;
  }
  return undefined;
}

/** The address for publishing beside that for watching and the other way round; undefined when it says neither. */
export function twinOf(address: string): string | undefined {
  const twin = address.replace(
    /(\/)(whep|whip)(?=[/?]|$)/i,
    (_, slash: string, verb: string) => slash + (verb.toLowerCase() === 'whep' ? 'whip' : 'whep'),
  );
  return twin === address ? undefined : twin;
}
