import { expect, it } from 'vitest';
import { agentHandshake, agentProof, proofHeader } from './agentProof';

const token = 'planted-token';
const agentNonce = '0123456789abcdef'.repeat(4);

function handshake() {
  const { headers, answer } = agentHandshake(token);
  const nonce = headers['Authorization']?.replace(/^Fullhouse /, '') ?? '';
  return { nonce, answer: (header: string | undefined) => answer({ [proofHeader]: header }) };
}

it('a console that gets the proof of its agent returns its own, and never the token', () => {
  const { nonce, answer } = handshake();
  expect(nonce).toMatch(/^[0-9a-f]{64}$/);
  const frame = answer(`${agentNonce} ${agentProof(token, 'agent', nonce, agentNonce)}`);
  expect(JSON.parse(frame ?? '')).toEqual({
    type: 'proof',
    proof: agentProof(token, 'console', nonce, agentNonce),
  });
  expect(frame).not.toContain(token);
});

it.each<[what: string, header: (nonce: string) => string | undefined]>([
  ['no proof', () => undefined],
  ['a nonce without a proof', () => agentNonce],
  ['the proof of another token', (nonce) => `${agentNonce} ${agentProof('other', 'agent', nonce, agentNonce)}`],
  ['the proof of a console', (nonce) => `${agentNonce} ${agentProof(token, 'console', nonce, agentNonce)}`],
  ['the proof of an earlier connection', () => `${agentNonce} ${agentProof(token, 'agent', agentNonce, agentNonce)}`],
  ['the proof of a short nonce', (nonce) => `abc ${agentProof(token, 'agent', nonce, 'abc')}`],
])('a console that gets %s returns nothing', (_, header) => {
  const { nonce, answer } = handshake();
  expect(answer(header(nonce))).toBeUndefined();
});
