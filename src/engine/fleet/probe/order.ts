import type { NodeSecrets } from '../../../domain/nodeSettings';

/** What a person typed of a node that is looked at. */
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
