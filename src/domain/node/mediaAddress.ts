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

/** What is wrong with an address of SRT beyond its form, one sentence; undefined if nothing is. */
export function srtFault(text: string): string | undefined {
  const address = text.trim();
  const [, authority = '', query = ''] = /^srt:\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?/is.exec(address) ?? [];
  const shown = `srt://${authority.replace(/^.*@/s, '')}`;
  if (!/:\d+$/.test(authority))
    return `"${shown}" has no port, and SRT has no usual one. Write srt://HOST:PORT?streamid={stream}.`;
  const values = new Map(query.split('&').map((part) => [part.replace(/=.*$/s, ''), part.replace(/^[^=]*=?/s, '')]));
  const mode = values.get('mode');
  if (mode !== undefined && mode !== '' && mode !== 'caller')
    return `The mode of "${shown}" is "${mode}", but the server is the listener and testers call it. Write mode=caller, or remove it.`;
  // Each encoded character counts as one.
  const passphrase = values.get('passphrase')?.replace(/%[\da-f]{2}/gi, '-');
  // Empty stands for no encryption, as in the agent.
  return passphrase === undefined || passphrase === '' || (passphrase.length >= 10 && passphrase.length <= 79)
    ? undefined
    : `The passphrase of "${shown}" has ${passphrase.length} characters; SRT takes 10 to 79.`;
}
