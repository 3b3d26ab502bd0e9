import type { NodeFix } from '../../domain/model/node';
import { FullhouseError } from '../../contract/calls';

const secretCodes = [
  'http-401',
  'http-403',
  'needs-secret',
  'livekit-key',
  'livekit-secret',
  'livekit-token',
  'openvidu-secret',
];
const settingsCodes = [
  'bad-answer',
  'http-404',
  'no-such-host',
  'not-http',
  'not-json',
  'not-livekit',
  'not-statistics',
  'not-wcs',
  'tls',
  'too-long',
];

/** The fix for a server that could not be queried: retry, unless the user has to change something first. */
export function serverFix(error: unknown): NodeFix {
  const code = error instanceof FullhouseError ? error.code : '';
  if (secretCodes.includes(code)) return 'enter-secret';
  return settingsCodes.includes(code) ? 'edit' : 'reconnect';
}
