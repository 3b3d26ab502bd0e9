import type { FamilyFile, LoginRule } from '../../../domain/family/familyFile';
import { parseForeignJson } from '../../../domain/budget/foreignJson';
import { findFirst } from '../../../domain/family/pointer';
import { textOf } from '../../../domain/family/values';
import { FullhouseError } from '../../../contract/calls';
import type { HttpRequest } from '../../links/http/httpLink';
import type { ServerAccess, ServerNeed } from '../adapter';
import { at, type Places } from './places';

type TokenLogin = Extract<LoginRule, { post: string }>;

/** What the login of the family's API needs; a token is stored as the password. */
export const needsOf = ({ login }: FamilyFile): readonly ServerNeed[] =>
  login === 'basic' || textsOf(login).some((text) => text.includes('{user}'))
    ? ['user', 'httpPassword']
    : ['httpPassword'];

function textsOf(login: LoginRule): readonly string[] {
  if (typeof login === 'string' || 'query' in login || 'member' in login) return [];
  return 'post' in login ? Object.values(login.json) : [login.value];
}

/** The latest token of each access, with the credentials that it is for. */
const tokens = new WeakMap<ServerAccess, { readonly credentials: string; readonly token: Promise<string> }>();

/** A request of the API with its login. HTTP basic is the link's own. Rejects when the login is refused. */
export async function withLogin(
  rules: FamilyFile,
  places: Places,
  access: ServerAccess,
  request: HttpRequest,
): Promise<HttpRequest> {
  const { login } = rules;
  const password = access.secrets().httpPassword;
  if (login === 'basic' || password === undefined) return request;
  const header = (name: string, value: string): HttpRequest => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  });
  if (login === 'bearer') return header('Authorization', `Bearer ${password}`);
  if ('member' in login) {
    if (request.body === undefined) return request;
    return { ...request, body: JSON.stringify({ ...(JSON.parse(request.body) as object), [login.member]: password }) };
  }
  if ('query' in login) {
    const url = new URL(request.url);
    url.searchParams.set(login.query, password);
    return { ...request, url: url.href };
  }
  // A login without the user that it needs counts against the server's limit of failed ones.
  if ('post' in login && access.settings.user === undefined && needsOf(rules).includes('user')) return request;
  if ('post' in login)
    return header('Authorization', `Bearer ${await tokenOf(rules, login, places, access, password)}`);
  return header(login.header, filled(login.value, access, password));
}

const filled = (template: string, { settings }: ServerAccess, password: string): string => {
  const values: Readonly<Record<string, string>> = {
    password,
    'base64:password': Buffer.from(password).toString('base64'),
    user: settings.user ?? '',
  };
  return template.replace(/\{(password|base64:password|user)\}/g, (_, key: string) => values[key] ?? '');
};

/** Servers limit logins, so a token is requested once, and refused credentials are not sent again. */
function tokenOf(
  rules: FamilyFile,
  login: TokenLogin,
  places: Places,
  access: ServerAccess,
  password: string,
): Promise<string> {
  const credentials = `${access.settings.user ?? ''}:${password}`;
  const known = tokens.get(access);
  if (known?.credentials === credentials) return known.token;
  const token = requestToken(rules, login, places, access, password);
  tokens.set(access, { credentials, token });
  token.catch((error: unknown) => {
    if (!isLoginFault(error)) forgetToken(access);
  });
  return token;
}

/** The token of the latest login; undefined before the first one. */
export const knownToken = (access: ServerAccess): Promise<string> | undefined => tokens.get(access)?.token;

/** For a token that the server refuses: the next request logs in again. */
export function forgetToken(access: ServerAccess): void {
  tokens.delete(access);
}

/** Whether the server requires a login, or refused it. */
export const isLoginFault = (error: unknown): boolean =>
  error instanceof FullhouseError && (error.code === 'http-401' || error.code === 'http-403');

async function requestToken(
  rules: FamilyFile,
  login: TokenLogin,
  places: Places,
  access: ServerAccess,
  password: string,
): Promise<string> {
  const json = Object.fromEntries(
    Object.entries(login.json).map(([key, template]) => [key, filled(template, access, password)]),
  );
  const body = await access.http.text({
    method: 'POST',
    url: at(rules, places, login.post),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(json),
  });
  let token: string | undefined;
  try {
    token = textOf(findFirst(parseForeignJson(body), login.token));
  } catch {
    // Not JSON: no token either.
  }
  if (token) return token;
  throw new FullhouseError(
    'bad-answer',
    `${access.who}: the login of ${rules.title} returned no token; check the address and that this is ${rules.title}.`,
  );
}
