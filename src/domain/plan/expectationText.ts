import { defaultExpectations, type Comparison, type Expectation, type ExpectationId } from '../model/plan';

interface ExpectationRule {
  /** Label of its control in forms. */
  readonly label: string;
  /** The direction that makes sense: more viewers are better, more CPU is not. */
  readonly comparison: Comparison;
  readonly unit: '%' | 'ms';
  readonly max: number;
  readonly example: string;
}

function ruleOf(
  id: ExpectationId,
  label: string,
  { unit, max }: Pick<ExpectationRule, 'unit' | 'max'> = { unit: '%', max: 100 },
): ExpectationRule {
  const { comparison, value } = defaultExpectations[id];
  return { label, comparison, unit, max, example: `${comparison} ${value}${unit}` };
}

/** The syntax of each expectation. */
export const expectationRules: Readonly<Record<ExpectationId, ExpectationRule>> = {
  connected: ruleOf('connected', 'Connected'),
  degraded: ruleOf('degraded', 'Degraded'),
  cpu: ruleOf('cpu', 'Origin CPU'),
  gcPause: ruleOf('gcPause', 'GC pause', { unit: 'ms', max: 60_000 }),
};
export const expectationIds = Object.keys(expectationRules) as ExpectationId[];

/** Reads `>= 99%` or `<= 10ms`; otherwise returns a sentence that states what to write. */
export function parseExpectation(id: ExpectationId, text: string): Expectation | string {
  const rule = expectationRules[id];
  const write = `Write it like "${rule.example}", or "off" to exclude it from the verdict.`;
  const [bound, suffix] = splitSuffix(text.trim());
  const found = /^(>=|<=|=>|=<|>|<|==?)?\s*(-?\d.*?|.*)$/.exec(bound);
  const [, comparison = '', amount = ''] = found ?? [];
  if (comparison !== rule.comparison) return `"${text}" must start with "${rule.comparison}". ${write}`;
  if (amount.startsWith('-')) return `${amount} is negative. ${write}`;
  const value = rule.unit === '%' ? percentOf(amount) : pauseOf(amount);
  if (value === undefined)
    return /^\d+(\.\d+)?$/.test(amount) ? `${amount} has no unit. ${write}` : `"${amount}" is not valid. ${write}`;
  if (value > rule.max) return `${amount} is more than ${rule.max} ${rule.unit}. ${write}`;
  if (suffix && id === 'connected') return `Viewers are always counted: remove "${ifMeasured}". ${write}`;
  return { comparison: rule.comparison, value, ...(suffix ? { ifMeasured: true } : {}) };
}

/** Suffix of an expectation that is ignored if it can't be measured. */
const ifMeasured = 'if measured';

function splitSuffix(text: string): [bound: string, hasSuffix: boolean] {
  const found = /^(.*\S)\s+if\s+measured$/.exec(text);
  return [found?.[1] ?? text, found !== null];
}

function percentOf(amount: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)\s*%$/.exec(amount);
  return found ? Number(found[1]) : undefined;
}

function pauseOf(amount: string): number | undefined {
  const found = /^(\d+(?:\.\d+)?)\s*(ms|s)$/.exec(amount);
  return found ? Number(found[1]) * (found[2] === 's' ? 1000 : 1) : undefined;
}

/** The inverse of `parseExpectation`, e.g. `<= 10ms`. */
export function formatExpectation(id: ExpectationId, expectation: Expectation): string {
  const { comparison, value } = expectation;
  return `${comparison} ${value}${expectationRules[id].unit}${expectation.ifMeasured ? ` ${ifMeasured}` : ''}`;
}

/** For display, e.g. `<= 10 ms`. */
export function describeExpectation(id: ExpectationId, { comparison, value }: Expectation): string {
  return `${comparison} ${value} ${expectationRules[id].unit}`;
}
