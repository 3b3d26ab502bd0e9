import { connect } from 'node:net';
import { sshString, WireReader } from './wireFormat';

/** A key that the SSH agent holds; `blob` is a plain public key or a certificate. */
export interface AgentKey {
  readonly blob: Buffer;
  readonly comment: string;
}

const requestIdentities = 11;
const identitiesAnswer = 12;
const signRequest = 13;
const signResponse = 14;
const mostAnswerBytes = 1024 * 1024;
const answerTimeoutMs = 5_000;
/** A person may have to touch a security key or to confirm. */
const signTimeoutMs = 60_000;

/**
 * The keys of the SSH agent. ssh2's own agent client leaves out certificates and security keys, which is why we speak the
 * agent's protocol ourselves. Rejects with an `Error` for people.
 */
export async function agentKeys(socket: string): Promise<AgentKey[]> {
  const reader = new WireReader(await ask(socket, requestIdentities, [], identitiesAnswer, answerTimeoutMs));
  const count = reader.number();
  return Array.from({ length: count }, () => ({
    blob: reader.string(),
    comment: reader.string().toString(),
  }));
}

/** A signature by a key of the agent, with its algorithm in front as SSH's messages hold it. `flags`: 2 for SHA-256, 4 for SHA-512 with RSA. */
export async function agentSign(socket: string, blob: Buffer, data: Buffer, flags: number): Promise<Buffer> {
  const flagBytes = Buffer.alloc(4);
  flagBytes.writeUInt32BE(flags);
  const parts = [sshString(blob), sshString(data), flagBytes];
  return new WireReader(await ask(socket, signRequest, parts, signResponse, signTimeoutMs)).string();
}

/** One question over a connection of its own; resolves with the answer's content. */
function ask(
  path: string,
  type: number,
  parts: readonly Buffer[],
  wanted: number,
  timeoutMs: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let heard = Buffer.alloc(0);
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Error(why));
    };
    socket.setTimeout(timeoutMs, () => fail('it does not answer'));
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () => fail('it closed the connection'));
    socket.on('connect', () => socket.write(sshString(Buffer.concat([Buffer.from([type]), ...parts]))));
    socket.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk]);
      if (heard.length < 5) return;
      const length = heard.readUInt32BE(0);
      if (length > mostAnswerBytes || length < 1)
        return fail('it answers something that is no agent message');
      if (heard.length < 4 + length) return;
      socket.destroy();
      if (heard[4] === wanted) resolve(heard.subarray(5, 4 + length));
      else reject(new Error('it refused'));
    });
  });
}
