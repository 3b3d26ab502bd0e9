/** An address as it was typed or pasted, taken apart where it holds a password. */
export interface TypedPassword {
  /** Without the password; of a URL without the user too, who has a field of his own there. */
  readonly address: string;
  readonly user: string;
  readonly password: string;
  /** Which login the two are of. */
  readonly kind: 'ssh' | 'api';
}

const schemed = /^([a-z][a-z0-9+.-]*:\/\/)/i;

/** Takes the password out of `user:password@host` or of a URL; undefined where there is none. */
export function typedPassword(typed: string): TypedPassword | undefined {
  const text = typed.trimStart();
  const [scheme = ''] = schemed.exec(text) ?? [];
  const rest = text.slice(scheme.length);
  const authority = /^[^/?#\s]*/.exec(rest)?.[0] ?? '';
  const at = authority.lastIndexOf('@');
  const colon = authority.indexOf(':');
  if (at < 0 || colon < 0 || colon > at) return undefined;
  const decode = (part: string): string => (scheme === '' ? part : decoded(part));
  const user = decode(authority.slice(0, colon));
  const password = decode(authority.slice(colon + 1, at));
  const host = rest.slice(at + 1);
  const isSsh = scheme === '' || /^ssh:/i.test(scheme);
  return {
    address: isSsh && user !== '' ? `${scheme}${authority.slice(0, colon)}@${host}` : `${scheme}${host}`,
    user,
    password,
    kind: isSsh ? 'ssh' : 'api',
  };
}

/** The same text, fit to be shown and logged. */
export function withoutPassword(typed: string): string {
  return typedPassword(typed)?.address ?? typed;
}

/** A percent sign that is none of an encoding stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
