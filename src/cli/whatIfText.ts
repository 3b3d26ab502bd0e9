import type { Estimate } from '../domain/estimate/estimate';
import { whatIf, type WhatIf } from '../domain/estimate/whatIf';
import { whatIfSentences } from '../domain/estimate/whatIfText';

/** What an audience would need, where somebody asks. */
export function whatIfLines(estimate: Estimate, wish: WhatIf | undefined): string[] {
  if (!wish || estimate.resources.length === 0) return [];
  return ['', ...whatIfSentences(whatIf(estimate, wish), wish)];
}
