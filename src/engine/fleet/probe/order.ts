import type { NodeSecrets } from '../../../domain/model/nodeSettings';

/** What the user typed about a node to probe. */
export interface ProbeOrder {
  readonly probe: string;
  readonly address: string;
  readonly keyFile?: string;
  readonly jump?: string;
  readonly user?: string;
  readonly apiKey?: string;
  readonly selfSigned?: boolean;
  readonly allowCrossOrigin?: boolean;
  readonly secrets: NodeSecrets;
}
