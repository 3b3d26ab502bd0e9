import type { NodeCapabilities, PublishProtocol } from '../../domain/model/node';
import { playableOf } from '../../domain/model/playerProtocols';
import type { PlayProtocol } from '../../domain/model/protocols';
import type { StreamAddresses } from './adapter';

/** What can be done with a server by the addresses of its streams, and what its family adds or replaces. */
export function capabilitiesOf(
  { play, publish }: Pick<StreamAddresses, 'play' | 'publish'>,
  own: Pick<NodeCapabilities, 'measure' | 'terminate'> & Partial<NodeCapabilities>,
): NodeCapabilities {
  const serves = Object.keys(play) as PlayProtocol[];
  return { publish: Object.keys(publish) as PublishProtocol[], pull: serves, play: playableOf(serves), serves, ...own };
}
