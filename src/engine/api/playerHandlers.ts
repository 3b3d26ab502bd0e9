import type { Handlers } from '../../contract/calls';
import type { playerCalls } from '../../contract/playerCalls';
import { fetchForPlayer, playableAddress } from '../fleet/playerMedia';
import { nodeOf, type HandlerParts } from './handlerParts';

const done = { done: true } as const;

/** Implements the calls of the control player. */
export function makePlayerHandlers(parts: HandlerParts): Handlers<keyof typeof playerCalls> {
  const { playerConnections, publications } = parts;
  return {
    'player.address': ({ node, stream, protocol }) => playableAddress(nodeOf(parts, node), stream, protocol),
    'player.fetch': ({ node, url }) => fetchForPlayer(nodeOf(parts, node), url),
    'player.connect': async ({ node, ...order }) => ({
      status: await playerConnections.open({ ...order, node: nodeOf(parts, node) }),
    }),
    'player.send': ({ connection, data }) => {
      playerConnections.send(connection, data);
      return done;
    },
    'player.mediaClock': ({ node, stream }) => {
      const clock = publications.mediaClock(nodeOf(parts, node), stream);
      return { nowMs: parts.clock.now(), ...(clock ? { clock } : {}), pages: parts.clockPage.clocks.mediaClocks };
    },
    'player.disconnect': ({ connection }) => {
      playerConnections.close(connection);
      return done;
    },
  };
}
