import { formatTenths } from '../../../domain/text/numberFormat';

/** The expected value: a comparison with a number and its unit, or with a word. */
export type Expectation =
  | { readonly sign: '>=' | '<=' | '>' | '<' | '==' | '!='; readonly number: number; readonly text: string }
  | { readonly sign: '==' | '!='; readonly word: string; readonly text: string };

const factors: Readonly<Record<string, number>> = {
  '': 1,
  '%': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
};
export const unitNames = Object.keys(factors).filter(Boolean);

/** Parses `>= 16 MiB`, `== performance`; undefined when invalid. */
export function parseExpectation(text: string): Expectation | undefined {
  const match = /^\s*(>=|<=|==|!=|>|<)\s*(\S.*?)\s*$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', rest = ''] = match;
  const figure = /^(-?\d+(?:\.\d+)?)\s*([A-Za-z%]*)$/.exec(rest);
  const factor = figure ? factors[figure[2] ?? ''] : undefined;
  if (figure && factor !== undefined)
    return { sign: sign as '>=', number: Number(figure[1]) * factor, text: `${sign} ${rest}` };
  return sign === '==' || sign === '!=' ? { sign, word: rest, text: `${sign} ${rest}` } : undefined;
}

/** Whether it is met; undefined when the value should be a number and is not. */
export function isMet(expectation: Expectation, value: string): boolean | undefined {
  if ('word' in expectation) return (value === expectation.word) === (expectation.sign === '==');
  const bound = parseNumber(value);
  if (bound === undefined) return undefined;
  const { sign, number } = expectation;
  switch (sign) {
    case '>=':
      return bound >= number;
    case '<=':
      return bound <= number;
    case '>':
      return bound > number;
    case '<':
      return bound < number;
    case '==':
      return bound === number;
    case '!=':
      return bound !== number;
  }
}

/** A number as in files, with or without a unit. */
function parseNumber(value: string): number | undefined {
  const figure = /^(-?\d+(?:\.\d+)?)\s*([A-Za-z%]*)$/.exec(value.trim());
  // /proc/meminfo writes kB for KiB.
  const factor = figure ? (figure[2] === 'kB' ? 2 ** 10 : (factors[figure[2] ?? ''] ?? 1)) : undefined;
  return figure && factor !== undefined ? Number(figure[1]) * factor : undefined;
}

/** The value for display. Words are not shown: a configuration may contain anything. */
export function displayValue(value: string): string | undefined {
  const number = parseNumber(value);
  return number === undefined ? undefined : formatTenths(number);
}
