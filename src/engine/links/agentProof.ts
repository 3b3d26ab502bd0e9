import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * How console and agent prove that they know the token without sending it: another program may listen at the address of
 * an agent that has ended. See docs/agent-protocol.md.
 */
export interface AgentHandshake {
  /** Headers of the request. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first frame to send; undefined when the response does not prove that the other side knows the token. */
  answer(response: IncomingHttpHeaders): string | undefined;
}

const noncePattern = /^[0-9a-f]{32,128}$/;
/** The header of the response with the agent's nonce and its proof. */
export const proofHeader = 'fullhouse-proof';

export function agentHandshake(token: string): AgentHandshake {
  const nonce = randomBytes(32).toString('hex');
  return {
    headers: { Authorization: `Fullhouse ${nonce}` },
    answer: (response) => {
      const [agentNonce = '', proof = ''] = String(response[proofHeader] ?? '').split(' ');
      const [given, wanted] = [Buffer.from(proof), Buffer.from(agentProof(token, 'agent', nonce, agentNonce))];
      const isRight = noncePattern.test(agentNonce) && given.length === wanted.length && timingSafeEqual(given, wanted);
      if (!isRight) return undefined;
      return JSON.stringify({ type: 'proof', proof: agentProof(token, 'console', nonce, agentNonce) });
    },
  };
}

/** What one side presents. */
export function agentProof(token: string, side: 'agent' | 'console', consoleNonce: string, agentNonce: string): string {
  return createHmac('sha256', token).update(`fullhouse ${side} ${consoleNonce} ${agentNonce}`).digest('hex');
}
