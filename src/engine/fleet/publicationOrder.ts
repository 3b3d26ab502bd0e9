import {
  publisherProtocols,
  sampleSource,
  simulcastProtocols,
  type PlanPublish,
  type PublisherProtocol,
} from '../../domain/model/plan';
import { publishedStreams } from '../../domain/plan/publishRules';
import { isRtspSource } from '../../domain/plan/rtspSource';
import { FullhouseError } from '../../contract/calls';
import type { PublishOrder } from '../load/driver';
import type { ServerAdapter } from '../servers/adapter';
import { publishAddress } from '../servers/addresses';
import type { FleetNode } from './node';

/** What is published: one stream, or the streams of several publishers. */
export type PublicationOrder = Pick<
  PlanPublish,
  'stream' | 'source' | 'simulcast' | 'dynacast' | 'publishers' | 'oneRoom' | 'ratePerSecond' | 'protocol'
>;

/**
 * An agent can't request another token when it closes the session or reconnects: no publication is meant to last
 * longer.
 */
const agentTokenHoldsMs = 12 * 3_600_000;

/** Whether the server provides the stream itself: it generates it, or pulls it from a camera. */
export const isOwnStream = (
  server: Pick<ServerAdapter, 'generatesStreams'>,
  { source, simulcast, publishers, protocol }: PublicationOrder,
): boolean =>
  isRtspSource(source) ||
  (server.generatesStreams &&
    source === sampleSource &&
    [simulcast, publishers, protocol].every((each) => each === undefined));

/** The order to an agent. Rejects with a sentence where the server can't be published to. */
export async function agentOrder(node: FleetNode, job: string, order: PublicationOrder): Promise<PublishOrder> {
  const { source, simulcast, dynacast, publishers, ratePerSecond, protocol } = order;
  const wanted = protocol ? [protocol] : simulcast ? simulcastProtocols : publisherProtocols;
  const { allowCrossOrigin } = node.settings;
  const targets = await Promise.all(publishedStreams(order).map((stream) => targetOf(node, stream, wanted)));
  const [first] = targets as [(typeof targets)[number]];
  const common = {
    job,
    protocol: first.protocol,
    sample: source,
    ...(simulcast ? { simulcast: [...simulcast] } : {}),
    ...(dynacast ? { dynacast } : {}),
    ...(allowCrossOrigin ? { allowCrossOrigin } : {}),
  };
  const [single] = targets.map(({ protocol: _, ...target }) => target);
  if (publishers === undefined) return { ...common, ...single };
  return {
    ...common,
    targets: targets.map(({ protocol: _, ...target }) => target),
    ...(ratePerSecond === undefined ? {} : { ratePerSecond }),
  };
}

async function targetOf(
  { server, id }: FleetNode,
  stream: string,
  wanted: readonly PublisherProtocol[],
): Promise<Pick<PublishOrder, 'protocol' | 'bearerToken'> & { readonly url: string }> {
  const { protocol, url, token } = publishAddress(server, id, stream, wanted);
  if (protocol !== 'livekit') {
    const bearerToken = await token?.('publish', agentTokenHoldsMs);
    return { protocol, url, ...(bearerToken ? { bearerToken } : {}) };
  }
  const [bearerToken] = server.addresses(stream).publisherTokens?.([stream], agentTokenHoldsMs) ?? [];
  if (bearerToken === undefined)
    throw new FullhouseError(
      'needs-secret',
      `Publishing in a room of ${id} needs a token, which requires LiveKit's API key and secret; edit the node to enter them.`,
    );
  return { protocol, url, bearerToken };
}
