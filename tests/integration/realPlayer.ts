import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '../../src/engine';
import { openAgentLink } from '../../src/engine/links/webSocketLink';
import { localAgentBinary, startLocalAgent } from '../../src/engine/links/localAgent';
import { agentFolder, later } from './support';

/** A control player with real media, which Node.js cannot receive. */
export interface RealPlayer {
  /** Its sessions, as granted by the engine. */
  readonly sessions: readonly string[];
}

/**
 * Plays a stream like the window: the offer goes through the engine's `signal.whep`. The media endpoint is a viewer of
 * an agent; a server on loopback relays its signalling to the engine. Resolves when it has media.
 */
export async function startRealPlayer(engine: Engine, node: string, stream: string): Promise<RealPlayer> {
  const sessions: string[] = [];
  const signalling = createServer((request, response) => {
    let offerSdp = '';
    request.on('data', (chunk) => (offerSdp += String(chunk)));
    request.on('end', () => {
      // The test closes the session; the viewer's own DELETE is only recorded.
      if (request.method !== 'POST') return response.writeHead(200).end();
      engine.client.call('signal.whep', { node, stream, offerSdp }).then(
        ({ session, answerSdp }) => {
          sessions.push(session);
          response
            .writeHead(201, { 'Content-Type': 'application/sdp', Location: `/session/${session}` })
            .end(answerSdp);
        },
        (error: unknown) => response.writeHead(502).end((error as Error).message),
      );
    });
  });
  await new Promise<void>((resolve) => signalling.listen(0, '127.0.0.1', resolve));
  later(() => new Promise<void>((resolve) => signalling.close(() => resolve())));

  const agent = await startLocalAgent({ binary: localAgentBinary(agentFolder), role: 'audience' });
  later(async () => void (await agent.end(undefined, true)));
  const link = await openAgentLink({
    address: () => agent.listening.address,
    token: agent.token,
    who: 'The control player',
    version: '0.1.0',
  });
  later(() => link.close());
  const playing = new Promise<void>((resolve, reject) => {
    link.onRecord((record) => {
      const [job] = (record.kind === 'sample' && record.sample.jobs) || [];
      if (job?.connected === 1) resolve();
      if (job?.failed === 1) reject(new Error(`The player failed: ${JSON.stringify(job.failures)}`));
    });
  });
  const { port } = signalling.address() as AddressInfo;
  await link.request('audience.start', {
    job: 'player',
    protocol: 'whep',
    url: `http://127.0.0.1:${port}/whep/${stream}`,
    viewers: 1,
    ratePerSecond: 1,
    holdMs: 0,
  });
  await playing;
  return { sessions };
}
