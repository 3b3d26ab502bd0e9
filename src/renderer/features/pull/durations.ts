const unitMs: Readonly<Record<string, number>> = { s: 1000, min: 60_000, m: 60_000, h: 3_600_000 };

/** Parses `90 s`, `2 min`, `1 h 30 min`; undefined if a number lacks a unit or other text is present. */
export function readDuration(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase();
  if (!/^(\d+(\.\d+)?\s*(s|min|m|h)\s*)+$/.test(trimmed)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*(s|min|m|h)/g))
    sum += Number(amount) * (unitMs[unit ?? 's'] ?? 0);
  return Math.round(sum);
}
