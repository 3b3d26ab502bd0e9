import { expect, it } from 'vitest';
import type { PlanTurn } from '../../../domain/model/turn';
import { jobTurn } from './jobTurn';

const secrets = { value: ({ name }: { readonly name: string }) => (name === 'WORD' ? 'p4ss' : undefined) };
const origin = 'turn:origin';

it('has the secrets of a TURN server, and none of one that the origin lists', () => {
  const turn = { share: 10, url: 'turn:a', username: 'u', password: '$env:WORD' };
  expect(jobTurn({ protocol: 'whep', turn }, origin, secrets)).toEqual({
    sharePercent: 10,
    server: { url: 'turn:a', username: 'u', password: 'p4ss' },
  });
  expect(jobTurn({ protocol: 'whep', turn: { share: 10 } }, origin, secrets)).toEqual({ sharePercent: 10 });
  expect(jobTurn({ protocol: 'whep' }, origin, secrets)).toBeUndefined();
});

it('has the address of the origin for the protocol turn', () => {
  expect(jobTurn({ protocol: 'turn' }, origin, secrets)).toEqual({ sharePercent: 100, server: { url: origin } });
  const turn = { share: 100, bitrateKbps: 900, secret: '$secret:WORD' };
  expect(jobTurn({ protocol: 'turn', turn }, origin, secrets)).toEqual({
    sharePercent: 100,
    bitrateKbps: 900,
    server: { url: origin, secret: 'p4ss' },
  });
});

it('accepts a self-signed certificate as the plan requests, or as the settings of a TURN server alone do', () => {
  const turn: PlanTurn = { share: 10, url: 'turns:turn.example', selfSigned: true };
  expect(jobTurn({ protocol: 'whep', turn }, origin, secrets)?.server).toMatchObject({ selfSigned: true });
  expect(jobTurn({ protocol: 'turn' }, 'turns:a', secrets, true)?.server).toEqual({ url: 'turns:a', selfSigned: true });
  expect(jobTurn({ protocol: 'whep', turn: { share: 10, url: 'turn:a' } }, origin, secrets, true)?.server).toEqual({
    url: 'turn:a',
  });
});
