import type { NodeSecrets } from '../../domain/nodeSettings';
import type { Clock } from '../clock';
import type { HostKeyDesk } from './hostKeyDesk';

/** What every node that is reached over the network is given. */
export interface RemoteNodeOptions {
  readonly id: string;
  readonly colourSlot: number;
  readonly secrets: () => NodeSecrets;
  readonly secretKinds: () => readonly (keyof NodeSecrets)[];
  readonly hostKeys: HostKeyDesk;
  readonly clock: Clock;
  /** Versions by name; `fullhouse` is ours. */
  readonly versions: Readonly<Record<string, string>>;
}
