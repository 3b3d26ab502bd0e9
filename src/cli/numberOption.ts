import { UsageError } from './usageError';

export const inRange = (value: number, from: number, to: number): boolean =>
  Number.isInteger(value) && value >= from && value <= to;

/** An option's whole number within bounds. Throws a `UsageError`. */
export function numberOption(
  option: string,
  text: string | undefined,
  usually: number,
  from: number,
  to: number,
): number {
  const value = text === undefined ? usually : Number(text);
  if (!inRange(value, from, to)) throw new UsageError(`${option} is "${text}"; it must be ${from} to ${to}.`);
  return value;
}
