import { externalSource, simulcastProtocols, type PlanPublish, type PublisherProtocol } from '../model/plan';
import { pushedStream } from './pushedStream';
import { isRtspSource } from './rtspSource';

/** Why a stream can't be published with simulcast, one sentence; undefined if it can. */
export function simulcastFault({
  simulcast,
  source,
  protocol,
}: Pick<PlanPublish, 'simulcast' | 'source' | 'protocol'>): string | undefined {
  if (simulcast === undefined) return undefined;
  if (simulcast.length === 0) return 'Write the paths of the smaller files, or remove "simulcast".';
  if (source === externalSource || isRtspSource(source) || pushedStream(source) !== undefined)
    return 'Simulcast needs a video file or the sample as its source. Remove "simulcast", or change the source.';
  const protocols: readonly PublisherProtocol[] = simulcastProtocols;
  return protocol === undefined || protocols.includes(protocol)
    ? undefined
    : `Simulcast is published over ${simulcastProtocols.join(' and ')} only, not over ${protocol}. Remove "simulcast", or change the protocol.`;
}
