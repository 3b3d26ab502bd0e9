import type { FamilyFile } from '../../../domain/family/familyFile';
import type { HttpRequest } from '../../links/http/httpLink';
import type { ServerAccess, ServerNeed } from '../adapter';

/** What the login of the family's API needs; a token is stored as the password. */
export const needsOf = ({ login }: FamilyFile): readonly ServerNeed[] =>
  login === 'basic' || (typeof login === 'object' && 'value' in login && login.value.includes('{user}'))
    ? ['user', 'httpPassword']
    : ['httpPassword'];

/** A request of the API with its login. HTTP basic is the link's own. */
export function withLogin(
  { login }: FamilyFile,
  { settings, secrets }: Pick<ServerAccess, 'settings' | 'secrets'>,
  request: HttpRequest,
): HttpRequest {
  const password = secrets().httpPassword;
  if (login === 'basic' || password === undefined) return request;
  const header = (name: string, value: string): HttpRequest => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  });
  if (login === 'bearer') return header('Authorization', `Bearer ${password}`);
  if ('query' in login) {
    const url = new URL(request.url);
    url.searchParams.set(login.query, password);
    return { ...request, url: url.href };
  }
  const values: Readonly<Record<string, string>> = {
    password,
    'base64:password': Buffer.from(password).toString('base64'),
    user: settings.user ?? '',
  };
  return header(
    login.header,
    login.value.replace(/\{(password|base64:password|user)\}/g, (_, key: string) => values[key] ?? ''),
  );
}
