import type { Facts } from '../../reading/facts';
import type { Need } from '../../reading/need';
import { readBlocks, type Directive } from '../../text/blocks';
import { linesFor } from '../../text/properties';

export const srsConf: Need = { config: 'srs.conf' };
export const confOf = (facts: Facts): readonly Directive[] => readBlocks(facts.config('srs.conf').text);
export const srsFix = (facts: Facts, ...lines: readonly string[]): string =>
  linesFor(facts.config('srs.conf').path, lines, 'restart SRS (max_connections) or reload it');
