import { withoutPassword } from './typedPassword';

const form = 'rtmp://HOST/APPLICATION/{stream}, or rtmp://HOST/{stream} for a server without applications';

/**
 * What is wrong with the path of an RTMP address, one sentence; undefined if nothing is. As in the agent's
 * `rtmp.ParseAddress`, the last part is the stream, and arguments before it belong to the application.
 */
export function rtmpFault(text: string): string | undefined {
  const address = text.trim();
  const shown = withoutPassword(address);
  const [, authority = '', rest = ''] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  const login = authority.includes('@') ? authority.replace(/@[^@]*$/s, '') : undefined;
  if (login !== undefined && !/^[^:]+:.+$/s.test(login))
    return `The address of "${shown.replace(/\/\/[^/?#]*@/s, '//')}" has a user without a password, or the reverse. Write rtmp://USER:PASSWORD@HOST/APPLICATION/{stream}.`;
  const [path = '', ...queries] = rest.replace(/#.*$/s, '').split('?');
  const parts = path.replace(/^\//, '').split('/');
  const [ofApplication = ''] = queries;
  const isOfApplication = ofApplication.includes('/') && (queries.length > 1 || parts.length === 1);
  const stream = isOfApplication ? ofApplication.slice(ofApplication.lastIndexOf('/') + 1) : (parts.at(-1) ?? '');
  if (stream === '') return `"${shown}" names no stream. Write ${form}.`;
  return parts[0] === '' ? `"${shown}" has an empty application. Write ${form}.` : undefined;
}
