import { UnreadableError, type Facts } from '../reading/facts';
import { everywhere, fail, onOrigin, onTester, pass, unread, warn, type PreflightRule } from '../rule';
import { type Need } from '../reading/need';
import { sysctlPath } from '../text/sysctl';
import { isMet, parseExpectation, displayValue } from './expectation';
import type { CustomRule } from './ruleFile';

/** A custom rule as one of the catalogue. */
export function ruleOf(rule: CustomRule): PreflightRule {
  const need = needOf(rule);
  const what = nameOf(rule);
  const expectation = parseExpectation(rule.expect);
  const side = { origin: onOrigin, tester: onTester, all: everywhere }[rule.on ?? 'origin'];
  return {
    id: `own.${rule.id}`,
    title: rule.title,
    checks: what,
    why: rule.why,
    good: rule.expect,
    source: rule.source,
    applies: (context) => side(context) && (rule.server === undefined || context.server === rule.server),
    needs: [need],
    judge: (facts, { node }) => {
      const value = valueOf(rule, textOf(facts, need));
      const met = expectation && isMet(expectation, value);
      const figure = displayValue(value);
      if (met === undefined) return unread(`${what} of ${node} is not a number to compare with ${rule.expect}.`);
      const sentence = `${what} of ${node} ${figure === undefined ? (met ? 'matches' : 'does not match') : `is ${figure}`} (expected: ${rule.expect}).`;
      if (met) return pass(sentence);
      return (rule.otherwise === 'fail' ? fail : warn)(sentence, rule.fix);
    },
  };
}

function needOf({ read }: CustomRule): Need {
  if ('sysctl' in read) return { file: sysctlPath(read.sysctl) };
  return 'file' in read ? { file: read.file } : { config: read.config };
}

function nameOf({ read }: CustomRule): string {
  if ('sysctl' in read) return read.sysctl;
  const { line } = read;
  const place = 'file' in read ? read.file : read.config;
  return line === undefined ? place : `${line.trim()} in ${place}`;
}

function textOf(facts: Facts, need: Need): string {
  if ('config' in need) return facts.config(need.config).text;
  return 'file' in need ? facts.file(need.file) : '';
}

/**
 * The text after the line's given beginning, or the first line. Pure; no patterns, which could run forever on a file.
 */
function valueOf({ read }: Pick<CustomRule, 'read'>, text: string): string {
  const prefix = 'line' in read ? read.line?.trim() : undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const found =
    prefix === undefined
      ? lines[0]
      : lines
          .filter((line) => line.startsWith(prefix))
          .at(-1)
          ?.slice(prefix.length);
  if (found === undefined) throw new UnreadableError(`No line starts with "${prefix ?? ''}".`);
  const rest = found.replace(/^[\s=:]+/, '').replace(/[\s;]+$/, '');
  if (read.word === undefined) return rest;
  const word = rest.split(/\s+/)[read.word - 1];
  if (word === undefined)
    throw new UnreadableError(`Word ${read.word} does not exist in "${prefix ?? 'the first line'}".`);
  return word;
}
