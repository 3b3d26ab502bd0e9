import {
  publisherProtocols,
  sampleSource,
  simulcastProtocols,
  type PlanPublish,
  type PublisherProtocol,
} from '../../domain/model/plan';
import { publishedStreams } from '../../domain/plan/publishRules';
import { isRtspSource, rtspFault } from '../../domain/plan/rtspSource';
import { FullhouseError } from '../../contract/calls';
import { livekitFix } from '../base/secretPlace';
import type { AgentPublishOrder } from '../load/driver';
import type { ServerAdapter } from '../servers/adapter';
import { publishAddress } from '../servers/addresses';
import type { FleetNode } from './node';

/** What is published: one stream, or the streams of several publishers. */
export type PublicationOrder = Pick<
  PlanPublish,
  'stream' | 'source' | 'simulcast' | 'dynacast' | 'publishers' | 'oneRoom' | 'ratePerSecond' | 'protocol'
> & {
  /** The number of the first publisher, of a part of more publishers; default 1. */
  readonly firstNumber?: number;
};

/**
 * A publisher can't request another token when it closes the session or reconnects: no publication is meant to last
 * longer.
 */
export const publisherTokenHoldsMs = 12 * 3_600_000;

/** Whether the server provides the stream itself: it generates it, or pulls it from a camera. */
export const isOwnStream = (
  server: Pick<ServerAdapter, 'generatesStreams'>,
  { source, simulcast, publishers, protocol }: PublicationOrder,
): boolean =>
  isRtspSource(source) ||
  (server.generatesStreams &&
    source === sampleSource &&
    [simulcast, publishers, protocol].every((option) => option === undefined));

/** Has the server pull a camera. */
export function capture({ server, id }: FleetNode, order: PublicationOrder): Promise<void> {
  const fault = rtspFault(order);
  if (fault !== undefined) throw new FullhouseError('bad-request', fault);
  if (server.capture) return server.capture(order.source);
  throw new FullhouseError(
    'not-possible',
    `${id} can't pull RTSP addresses; publish the camera elsewhere, e.g. by ffmpeg over RTMP, and write "source: external".`,
  );
}

/** The order to an agent. Rejects with a sentence where the server can't be published to. */
export async function agentOrder(node: FleetNode, job: string, order: PublicationOrder): Promise<AgentPublishOrder> {
  const { source, simulcast, dynacast, publishers, ratePerSecond, protocol } = order;
  const candidates = protocol ? [protocol] : simulcast ? simulcastProtocols : publisherProtocols;
  const { allowCrossOrigin, selfSigned, proxy } = node.settings;
  const targets = await Promise.all(publishedStreams(order).map((stream) => targetOf(node, stream, candidates)));
  const [first] = targets as [(typeof targets)[number]];
  const login = first.protocol === 'whip' ? node.loginFor?.(first.url) : undefined;
  const common = {
    job,
    protocol: first.protocol,
    sample: source,
    ...(simulcast ? { simulcast: [...simulcast] } : {}),
    ...(dynacast ? { dynacast } : {}),
    ...(allowCrossOrigin ? { allowCrossOrigin } : {}),
    ...(selfSigned ? { selfSigned } : {}),
    ...(proxy ? { proxy } : {}),
    ...(login ? { login } : {}),
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
  candidates: readonly PublisherProtocol[],
): Promise<Pick<AgentPublishOrder, 'protocol' | 'bearerToken'> & { readonly url: string }> {
  const { protocol, url, token } = publishAddress(server, id, stream, candidates);
  if (protocol !== 'livekit') {
    const bearerToken = await token?.('publish', publisherTokenHoldsMs);
    return { protocol, url, ...(bearerToken ? { bearerToken } : {}) };
  }
  const [bearerToken] = server.addresses(stream).publisherTokens?.([stream], publisherTokenHoldsMs) ?? [];
  if (bearerToken === undefined) throw noRoomToken(id);
  return { protocol, url, bearerToken };
}

export const noRoomToken = (who: string): FullhouseError =>
  new FullhouseError(
    'needs-secret',
    `Publishing in a room of ${who} needs a token, which requires LiveKit's API key and secret; ${livekitFix(who)}.`,
  );
