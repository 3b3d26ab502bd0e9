import type { Estimate } from '../domain/estimate/estimate';
import { whatIf, type WhatIf } from '../domain/estimate/whatIf';
import { whatIfSentences } from '../domain/estimate/whatIfText';

/** The requirements of a target audience, if one was given. */
export function whatIfLines(estimate: Estimate, target: WhatIf | undefined): string[] {
  if (!target || estimate.resources.length === 0) return [];
  return ['', ...whatIfSentences(whatIf(estimate, target), target)];
}
