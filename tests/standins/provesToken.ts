import { randomBytes } from 'node:crypto';
import type { WebSocketServer } from 'ws';
import { agentProof, proofHeader } from '../../src/engine/links/agentProof';

/** Has a simulated agent prove that it knows the token, as the real one does. */
export function provesToken(server: WebSocketServer, token: string): void {
  server.on('headers', (headers, request) => {
    const consoleNonce = (request.headers.authorization ?? '').replace(/^Fullhouse /, '');
    const nonce = randomBytes(32).toString('hex');
    headers.push(`${proofHeader}: ${nonce} ${agentProof(token, 'agent', consoleNonce, nonce)}`);
  });
}
