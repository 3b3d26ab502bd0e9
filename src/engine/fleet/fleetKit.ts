import type { NodeSecrets, NodeSettings } from '../../domain/model/nodeSettings';
import type { Clock } from '../base/clock';
import type { OwnProcesses } from '../telemetry/ownProcesses';
import type { HostKeyStore } from './hostKeyStore';

/** What every node that is reached over the network receives. */
export interface RemoteNodeOptions {
  readonly id: string;
  /** Its settings as the user wrote them, with references in place of secrets. */
  readonly written: NodeSettings;
  /** Why it can't be reached: a reference in its settings can't be resolved. */
  readonly lacking: string | undefined;
  readonly colourSlot: number;
  readonly secrets: () => NodeSecrets;
  readonly secretKinds: () => readonly (keyof NodeSecrets)[];
  readonly hostKeys: HostKeyStore;
  readonly clock: Clock;
  /** The processes of the test on all machines. */
  readonly own: OwnProcesses;
  /** Versions by name; `fullhouse` is ours. */
  readonly versions: Readonly<Record<string, string>>;
}
