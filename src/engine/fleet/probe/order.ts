import type { NodeSecrets, ReachSettings } from '../../../domain/model/nodeSettings';

/** What the user typed about a node to probe. */
export interface ProbeOrder extends ReachSettings {
  readonly probe: string;
  readonly address: string;
  readonly secrets: NodeSecrets;
}
