import { expect, it } from 'vitest';
import type { PlanTurn } from '../../../../domain/model/turn';
import { hasCertificate, noTurn, readTurn, turnControls, turnFormOf } from './turnForm';

it.each<PlanTurn>([
  { share: 10 },
  { share: 100, url: 'turn:a', username: 'u', password: '$env:A' },
  { share: 0.5, url: 'turns:a:443', secret: '$secret:A' },
  { share: 10, url: 'turns:a', selfSigned: true },
])('%j is shown and read again', (turn) => {
  expect(readTurn(turnFormOf(turn), 'whep')).toEqual({ turn });
});

it('is absent for direct viewers only', () => {
  expect(readTurn(noTurn, 'whep')).toEqual({});
  expect(readTurn(turnFormOf(undefined), 'turn')).toEqual({ turn: { share: 100 } });
  expect(turnControls(noTurn, 'whep')).toEqual([]);
});

it('keeps bitrate and credentials of the protocol turn', () => {
  const turn: PlanTurn = { share: 100, bitrateKbps: 2000, username: 'u', password: '$env:A' };
  expect(readTurn(turnFormOf(turn), 'turn')).toEqual({ turn });
});

it.each([
  ['share', '0', 'Enter a percentage above 0, max 100.'],
  ['url', '', 'Enter the address, e.g. turn:host:3478.'],
  ['url', 'http://a', 'is not a TURN address'],
  ['password', 'plain', 'not a reference'],
])('%s "%s" is a problem', (name, text, says) => {
  const form = turnFormOf({ share: 10, url: 'turn:a' });
  const { problem } = readTurn({ ...form, texts: { ...form.texts, [name]: text } }, 'whep');
  expect(problem).toMatchObject({ path: `pull.turn.${name}`, sentence: expect.stringContaining(says) as string });
});

it('a password and a secret are a problem of the server', () => {
  const form = turnFormOf({ share: 10, url: 'turn:a', password: '$env:A', secret: '$env:B' });
  expect(readTurn(form, 'whep').problem).toMatchObject({ path: 'pull.turn.url' });
});

it('has a certificate only with a turns: address', () => {
  const form = { ...turnFormOf({ share: 10, url: 'turn:a' }), selfSigned: true };
  expect([hasCertificate(form, 'whep'), readTurn(form, 'whep')]).toEqual([
    false,
    { turn: { share: 10, url: 'turn:a' } },
  ]);
});
