import type { NodeRemedy } from '../../domain/node';
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

/** What mends a server that could not be asked: asking again, unless nothing changes before a person has changed something. */
export function serverRemedy(error: unknown): NodeRemedy {
  const code = error instanceof FullhouseError ? error.code : '';
  if (secretCodes.includes(code)) return 'enter-secret';
  return settingsCodes.includes(code) ? 'edit' : 'reconnect';
}
