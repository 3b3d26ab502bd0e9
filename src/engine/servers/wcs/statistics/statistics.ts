/** The server's statistics at one time, in any format. */
export interface WcsStatistics {
  readonly format: StatisticsFormat;
  /** Every numeric parameter by its name; a name that an earlier group has already becomes `group/name`. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Non-numeric values: versions, details of streams and the like. */
  readonly texts: ReadonlyMap<string, string>;
}

export const statisticsFormats = ['json', 'text', 'prometheus'] as const;
export type StatisticsFormat = (typeof statisticsFormats)[number];

const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A number or a numeric string; undefined for everything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !number.test(value.trim())) return undefined;
  const read = Number(value);
  return Number.isFinite(read) ? read : undefined;
}

/** Collects parameters while a response is parsed. */
export class StatisticsBuilder {
  private readonly numbers = new Map<string, number>();
  private readonly texts = new Map<string, string>();

  add(group: string, name: string, value: unknown): void {
    const isTaken = this.numbers.has(name) || this.texts.has(name);
    const key = isTaken ? `${group}/${name}` : name;
    const parsed = numberOf(value);
    if (parsed !== undefined) this.numbers.set(key, parsed);
    else if (typeof value === 'string') this.texts.set(key, value);
    else if (value !== null && value !== undefined) this.texts.set(key, JSON.stringify(value));
  }

  get size(): number {
    return this.numbers.size + this.texts.size;
  }

  build(format: StatisticsFormat): WcsStatistics {
    return { format, numbers: this.numbers, texts: this.texts };
  }
}
