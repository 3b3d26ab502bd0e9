import type { NodeSecrets, NodeSettings } from '../../domain/nodeSettings';
import type { Clock } from '../clock';
import type { OwnProcesses } from '../telemetry/ownProcesses';
import type { HostKeyDesk } from './hostKeyDesk';

/** What every node that is reached over the network is given. */
export interface RemoteNodeOptions {
  readonly id: string;
  /** Its settings as a person wrote them, with references in place of secrets. */
  readonly written: NodeSettings;
  /** Why it can't be reached: what a reference of its settings stands for is not known. */
  readonly lacking: string | undefined;
  readonly colourSlot: number;
  readonly secrets: () => NodeSecrets;
  readonly secretKinds: () => readonly (keyof NodeSecrets)[];
  readonly hostKeys: HostKeyDesk;
  readonly clock: Clock;
  /** The processes of the test on all machines. */
  readonly own: OwnProcesses;
  /** Versions by name; `fullhouse` is ours. */
  readonly versions: Readonly<Record<string, string>>;
}
