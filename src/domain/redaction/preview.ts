import {
  runParts,
  saveEmptyRun,
  type FoundValue,
  type IdentifyingValue,
  type PartOfRun,
  type RunPart,
} from './identifyingValues';
import { Redactor } from './redact';

/**
 * The values for display: how often and where each occurs. Keys and tokens are truncated. What occurs only within texts
 * from elsewhere is left out with them.
 */
export function previewOf(parts: readonly PartOfRun[], found: readonly FoundValue[]): IdentifyingValue[] {
  const tally = new Map<FoundValue, { count: number; parts: Set<RunPart> }>();
  let part: RunPart = 'rest';
  const redactor = new Redactor(found, saveEmptyRun, {
    onReplace: (value) => {
      const known = tally.get(value) ?? { count: 0, parts: new Set<RunPart>() };
      known.count += 1;
      known.parts.add(part);
      tally.set(value, known);
    },
  });
  for (const each of parts) {
    part = each.part;
    redactor.value(each.value, each.shape);
  }
  return found.flatMap((value): IdentifyingValue[] => {
    const { kind, becomes } = value;
    const seen = tally.get(value);
    if (kind === 'still') return [{ kind, value: value.value, becomes, count: 1, parts: ['stills'] }];
    if (!seen) return [];
    return [
      {
        kind,
        value: kind === 'secret' ? `${value.value.slice(0, 3)}…` : value.value,
        becomes,
        count: seen.count,
        parts: runParts.filter((each) => seen.parts.has(each)),
      },
    ];
  });
}
