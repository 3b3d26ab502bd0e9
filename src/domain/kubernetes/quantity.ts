const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

/** A quantity of Kubernetes, such as `500m` or `512Mi`, as a number; undefined for any other text. */
export function quantityOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(?:[eE](\d{1,2})|([numkMGTP]|[KMGTP]i)?)$/.exec(text.trim());
  if (!match) return undefined;
  const [, digits = '', exponent, unit = ''] = match;
  const factor = exponent === undefined ? factors[unit] : 10 ** Number(exponent);
  return factor === undefined ? undefined : Number(digits) * factor;
}

/** Why a text is no quantity, one sentence; undefined if it is one. */
export function quantityFault(text: string): string | undefined {
  return quantityOf(text) === undefined
    ? `"${text}" is not a quantity of Kubernetes, e.g. 500m CPU or 512Mi memory.`
    : undefined;
}
