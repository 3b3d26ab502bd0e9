import { runParts, type FoundValue, type IdentifyingValue, type PartOfRun, type RunPart } from './identifyingValues';
import { Redactor } from './redact';

/** The values for display: how often and where each occurs. Keys and tokens are truncated. */
export function previewOf(parts: readonly PartOfRun[], found: readonly FoundValue[]): IdentifyingValue[] {
  const tally = new Map<FoundValue, { count: number; parts: Set<RunPart> }>();
  let part: RunPart = 'rest';
  const redactor = new Redactor(found, (value) => {
    const known = tally.get(value) ?? { count: 0, parts: new Set<RunPart>() };
    known.count += 1;
    known.parts.add(part);
    tally.set(value, known);
  });
  for (const each of parts) {
    part = each.part;
    redactor.value(each.value, each.path ?? [each.part]);
  }
  return found.map((value) => {
    const { kind, becomes } = value;
    const seen = tally.get(value);
    return {
      kind,
      value: kind === 'secret' ? `${value.value.slice(0, 3)}…` : value.value,
      becomes,
      count: kind === 'still' ? 1 : (seen?.count ?? 0),
      parts: kind === 'still' ? ['stills'] : runParts.filter((each) => seen?.parts.has(each)),
    };
  });
}
