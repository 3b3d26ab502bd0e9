import type { Facts } from '../../reading/facts';
import type { Need } from '../../reading/need';
import { readBlocks, type Directive } from '../../text/blocks';
import { linesFor } from '../../text/properties';

export const nginxConf: Need = { config: 'nginx.conf' };
export const confOf = (facts: Facts): readonly Directive[] => readBlocks(facts.config('nginx.conf').text);
export const nginxFix = (facts: Facts, ...lines: readonly string[]): string =>
  linesFor(facts.config('nginx.conf').path, lines, 'nginx -t && nginx -s reload');
/** Connections besides viewers: the stat page, control, HLS. */
export const spareConnections = 100;
