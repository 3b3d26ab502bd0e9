import { connect } from 'node:net';
import { sshString, WireReader } from './wireFormat';

/** A key in the SSH agent; `blob` is a plain public key or a certificate. */
export interface AgentKey {
  readonly blob: Buffer;
  readonly comment: string;
}

const requestIdentities = 11;
const identitiesAnswer = 12;
const signRequest = 13;
const signResponse = 14;
const maxAnswerBytes = 1024 * 1024;
const answerTimeoutMs = 5_000;
/** The user may have to touch a security key or to confirm. */
const signTimeoutMs = 60_000;

/**
 * The keys of the SSH agent. ssh2's own agent client leaves out certificates and security keys, so the agent's
 * protocol is implemented here. Rejects with an `Error` with a readable message.
 */
export async function agentKeys(socket: string): Promise<AgentKey[]> {
  const reader = new WireReader(await ask(socket, requestIdentities, [], identitiesAnswer, answerTimeoutMs));
  const count = reader.number();
  return Array.from({ length: count }, () => ({
    blob: reader.string(),
    comment: reader.string().toString(),
  }));
}

/**
 * A signature by a key of the agent, prefixed with its algorithm as in SSH messages. `flags`: 2 for SHA-256, 4 for
 * SHA-512 with RSA.
 */
export async function agentSign(socket: string, blob: Buffer, data: Buffer, flags: number): Promise<Buffer> {
  const flagBytes = Buffer.alloc(4);
  flagBytes.writeUInt32BE(flags);
  const parts = [sshString(blob), sshString(data), flagBytes];
  return new WireReader(await ask(socket, signRequest, parts, signResponse, signTimeoutMs)).string();
}

/** One request over its own connection; resolves with the response's content. */
function ask(path: string, type: number, parts: readonly Buffer[], wanted: number, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let received = Buffer.alloc(0);
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Error(why));
    };
    socket.setTimeout(timeoutMs, () => fail('it does not respond'));
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () => fail('it closed the connection'));
    socket.on('connect', () => socket.write(sshString(Buffer.concat([Buffer.from([type]), ...parts]))));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 5) return;
      const length = received.readUInt32BE(0);
      if (length > maxAnswerBytes || length < 1) return fail('its response is not an agent message');
      if (received.length < 4 + length) return;
      socket.destroy();
      if (received[4] === wanted) resolve(received.subarray(5, 4 + length));
      else reject(new Error('it refused'));
    });
  });
}
