import { randomBytes } from 'node:crypto';
import { runnerImport } from 'vite';
import WebSocket from 'ws';
import { inRoot } from '../../../../scripts/setup/paths.mjs';
import { startChild } from './children.mjs';

const { module: contract } = await runnerImport(inRoot('src', 'contract', 'agentProtocol.ts'));
const ownProtocol = contract.agentProtocolVersion;
const callLimitMs = 15_000;

/** A refusal by an agent; `code` is from the protocol. */
export class AgentRefusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * Starts an agent like the engine and uses its protocol.
 * @param {string} program
 * @param {string[]} args the role and its options
 * @param {number} protocol of another build's agent
 */
export async function startAgent(program, args, protocol = ownProtocol) {
  const token = randomBytes(32).toString('hex');
  const child = startChild(program, args, { input: `${token}\n`, endsWithInput: false });
  const { address, http } = await child.received('listening');
  const socket = new WebSocket(`ws://${address}/v1`, { headers: { Authorization: `Bearer ${token}` } });
  const open = new Map();
  const samples = [];
  const events = [];
  let id = 0;
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('error', () => undefined); // the following close rejects open calls
  socket.on('close', () => {
    clearInterval(pinging);
    for (const { reject } of open.values()) reject(new Error(`${child.name} closed its connection.`));
    open.clear();
  });
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString());
    if (message.type === 'record') {
      if (message.kind === 'sample') samples.push({ atMs: performance.now(), ...message.sample });
      else events.push(message.event);
      return;
    }
    const request = open.get(message.id);
    open.delete(message.id);
    if (message.ok) request?.resolve(message.result);
    else request?.reject(new AgentRefusal(message.error.code, message.error.message));
  });
  const call = (name, params = {}) =>
    new Promise((resolve, reject) => {
      id += 1;
      const timer = setTimeout(() => reject(new Error(`${child.name} did not respond to ${name}.`)), callLimitMs);
      const done = (settle) => (value) => {
        clearTimeout(timer);
        settle(value);
      };
      open.set(id, { resolve: done(resolve), reject: done(reject) });
      socket.send(JSON.stringify({ type: 'request', id, call: name, params }));
    });
  const pinging = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) call('ping').catch(() => undefined); // the next call reports the error
  }, 2000);
  const hello = await call('hello', { protocol, client: { name: 'bench', version: '0' } });
  return {
    child,
    pid: child.pid,
    hello,
    http,
    call,
    /** All samples so far, each with `atMs` of this process's monotonic clock. */
    samples,
    events,
    latest: () => samples.at(-1),
    async end() {
      if (child.isRunning()) await call('shutdown').catch(() => undefined); // a signal follows
      await child.end();
      socket.terminate();
    },
  };
}

/** Runs `use` with an agent that is stopped afterwards. */
export async function withAgent(program, args, use) {
  const agent = await startAgent(program, args);
  try {
    return await use(agent);
  } finally {
    await agent.end();
  }
}
