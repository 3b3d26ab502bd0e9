import { percentDecoded } from '../text/percentDecoded';

/** A typed or pasted address, split if it contains a password. */
export interface TypedPassword {
  /** Without the password; of a URL also without the user, which has its own field. */
  readonly address: string;
  readonly user: string;
  readonly password: string;
  /** The login that both belong to. */
  readonly kind: 'ssh' | 'api';
}

const schemed = /^([a-z][a-z0-9+.-]*:\/\/)/i;

/** Extracts the password of `user:password@host` or of a URL; undefined without one. */
export function typedPassword(typed: string): TypedPassword | undefined {
  const text = typed.trimStart();
  const [scheme = ''] = schemed.exec(text) ?? [];
  const rest = text.slice(scheme.length);
  const authority = /^[^/?#\s]*/.exec(rest)?.[0] ?? '';
  const at = authority.lastIndexOf('@');
  const colon = authority.indexOf(':');
  if (at < 0 || colon < 0 || colon > at) return undefined;
  const decode = (part: string): string => (scheme === '' ? part : percentDecoded(part));
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

/** The typed text without its password, safe to display and log. */
export function withoutPassword(typed: string): string {
  return typedPassword(typed)?.address ?? typed;
}
