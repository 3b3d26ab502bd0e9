import { defaultExpectations, type ComparisonOperator, type Expectation, type ExpectationId } from '../model/plan';

interface ExpectationRule {
  /** Label of its control in forms. */
  readonly label: string;
  /** The direction that makes sense: more viewers are better, more CPU is not. */
  readonly comparison: ComparisonOperator;
  readonly unit: '%' | 'ms' | 's';
  readonly max: number;
  readonly example: string;
  /** What marks a default: it decides nothing without a measurement, or of outages with `reconnect`. */
  readonly suffix: string;
}

function ruleOf(
  id: ExpectationId,
  label: string,
  { suffix = 'if measured', ...rest }: Partial<Pick<ExpectationRule, 'unit' | 'max' | 'suffix'>> = {},
): ExpectationRule {
  const { comparison, value } = defaultExpectations[id];
  const { unit, max } = { unit: '%' as const, max: 100, ...rest };
  return { label, comparison, unit, max, suffix, example: `${comparison} ${value}${unit}` };
}

/** The syntax of each expectation. */
export const expectationRules: Readonly<Record<ExpectationId, ExpectationRule>> = {
  connected: ruleOf('connected', 'Connected'),
  outages: ruleOf('outages', 'Max outage', { unit: 's', max: 86_400, suffix: 'unless reconnect' }),
  degraded: ruleOf('degraded', 'Degraded'),
  cpu: ruleOf('cpu', 'Origin CPU'),
  gcPause: ruleOf('gcPause', 'GC pause', { unit: 'ms', max: 60_000 }),
};

/** Reads `>= 99%` or `<= 10ms`; otherwise returns a sentence that states what to write. */
export function parseExpectation(id: ExpectationId, text: string): Expectation | string {
  const rule = expectationRules[id];
  const write = `Write it like "${rule.example}", or "off" to exclude it from the verdict.`;
  const [bound, suffix] = splitSuffix(text.trim());
  const match = /^(>=|<=|=>|=<|>|<|==?)?\s*(-?\d.*?|.*)$/.exec(bound);
  // A length alone can only be the longest one.
  const [, comparison = rule.unit === 's' ? rule.comparison : '', amount = ''] = match ?? [];
  if (comparison !== rule.comparison) return `"${text}" must start with "${rule.comparison}". ${write}`;
  if (amount.startsWith('-')) return `${amount} is negative. ${write}`;
  const value = rule.unit === '%' ? percentOf(amount) : lengthOf(amount, rule.unit);
  if (value === undefined)
    return /^\d+(\.\d+)?$/.test(amount) ? `${amount} has no unit. ${write}` : `"${amount}" is not valid. ${write}`;
  if (value > rule.max) return `${amount} is more than ${rule.max} ${rule.unit}. ${write}`;
  if (suffix !== undefined && id === 'connected') return `Viewers are always counted: remove "${suffix}". ${write}`;
  if (suffix !== undefined && suffix !== rule.suffix) return `Write "${rule.suffix}" instead of "${suffix}". ${write}`;
  return { comparison: rule.comparison, value, ...(suffix === undefined ? {} : { ifMeasured: true }) };
}

/** Suffixes of an expectation that a plan does not insist on. */
function splitSuffix(text: string): [bound: string, suffix: string | undefined] {
  const [, bound = text, suffix] = /^(.*\S)\s+(if\s+measured|unless\s+reconnect)$/.exec(text) ?? [];
  return [bound, suffix?.replace(/\s+/, ' ')];
}

function percentOf(amount: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*%$/.exec(amount);
  return match ? Number(match[1]) : undefined;
}

const inMs = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 } as const;

function lengthOf(amount: string, unit: 'ms' | 's'): number | undefined {
  const [, figure, written = ''] = /^(\d+(?:\.\d+)?)\s*(ms|s|min|h)$/.exec(amount) ?? [];
  const isPause = unit === 'ms' && written !== 'ms' && written !== 's';
  if (figure === undefined || isPause) return undefined;
  return (Number(figure) * inMs[written as keyof typeof inMs]) / inMs[unit];
}

/** The inverse of `parseExpectation`, e.g. `<= 10ms`. */
export function formatExpectation(id: ExpectationId, expectation: Expectation): string {
  const { comparison, value, ifMeasured } = expectation;
  const { unit, suffix } = expectationRules[id];
  return `${comparison} ${value}${unit}${ifMeasured ? ` ${suffix}` : ''}`;
}

/** For display, e.g. `<= 10 ms`. */
export function describeExpectation(id: ExpectationId, { comparison, value }: Expectation): string {
  return `${comparison} ${value} ${expectationRules[id].unit}`;
}
