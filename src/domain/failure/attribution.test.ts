import { expect, it } from 'vitest';
import { isRefusal, isServerCause } from './attribution';

it('a viewer without the TURN server of its plan was refused by configuration, which no CPU explains', () => {
  expect(isServerCause({ stage: 'turn', cause: 'no-server' })).toBe(true);
  expect(isRefusal({ stage: 'turn', cause: 'no-server' })).toBe(true);
  expect(isRefusal({ stage: 'turn', cause: 'timeout' })).toBe(false);
});

it.each([
  ['http-404', true, true],
  ['http-408', false, false],
  ['http-500', true, false],
  ['http-501', true, true],
  ['http-502', true, false],
  ['http-503', true, true],
  ['rtsp-404', true, true],
  ['rtsp-504', true, false],
  ['turn-486', true, true],
  ['not-rtmp', true, true],
  ['unpublished', true, false],
  ['no-candidate', true, false],
  ['closed', false, false],
  ['alert-handshake-failure', false, false],
  ['tester-memory', false, false],
  ['of-a-later-version', false, false],
])('%s at signalling: response %s, refusal %s', (cause, isServers, isStated) => {
  expect(isServerCause({ stage: 'signalling', cause })).toBe(isServers);
  expect(isRefusal({ stage: 'signalling', cause })).toBe(isStated);
});

it('a port that closes after ICE has started may be the end of a session that timed out', () => {
  expect(isServerCause({ stage: 'tcp', cause: 'refused' })).toBe(true);
  expect(isServerCause({ stage: 'media', cause: 'refused' })).toBe(false);
});
