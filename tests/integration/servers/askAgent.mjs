import WebSocket from 'ws';

/**
 * Reads all stored records of an agent, on its own machine, and prints how many of its samples contain a job.
 * Usage: node askAgent.mjs HOST:PORT, with the agent's token in the environment as AGENT_TOKEN.
 */
const socket = new WebSocket(`ws://${process.argv[2]}/v1`, {
  headers: { Authorization: `Bearer ${process.env.AGENT_TOKEN}` },
});
const params = { protocol: 3, client: { name: 'test', version: '0' }, resumeAfter: 0 };
let latest = Number.POSITIVE_INFINITY;
let samples = 0;
const done = (sequence) => {
  if (sequence !== latest) return;
  process.stdout.write(`${JSON.stringify({ samples })}\n`);
  socket.close();
};
socket.on('open', () => socket.send(JSON.stringify({ type: 'request', id: 1, call: 'hello', params })));
socket.on('message', (data) => {
  const message = JSON.parse(data.toString());
  if (message.type === 'response') latest = message.result.latestSequence;
  if (message.type !== 'record') return;
  if (message.kind === 'sample' && message.sample.jobs?.length > 0) samples += 1;
  done(message.sequence);
});
