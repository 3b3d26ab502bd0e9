import { UnreadError, type Facts } from '../reading/facts';
import {
  everywhere,
  fail,
  onOrigin,
  onTester,
  pass,
  unread,
  warn,
  type Need,
  type PreflightRule,
} from '../rule';
import { sysctlPath } from '../text/sysctl';
import { isMet, parseExpectation, told } from './expectation';
import type { OwnRule } from './ruleFile';

/** A rule of one's own as one of the catalogue. */
export function ruleOf(own: OwnRule): PreflightRule {
  const need = needOf(own);
  const what = nameOf(own);
  const expectation = parseExpectation(own.expect);
  const side = { origin: onOrigin, tester: onTester, all: everywhere }[own.on ?? 'origin'];
  return {
    id: `own.${own.id}`,
    title: own.title,
    checks: what,
    why: own.why,
    good: own.expect,
    source: own.source,
    applies: (look) => side(look) && (own.server === undefined || look.server === own.server),
    needs: [need],
    judge: (facts, { node }) => {
      const value = valueOf(own, textOf(facts, need));
      const met = expectation && isMet(expectation, value);
      const figure = told(value);
      if (met === undefined)
        return unread(`${what} of ${node} holds no number to compare with ${own.expect}.`);
      const sentence = `${what} of ${node} ${figure === undefined ? (met ? 'is as expected' : 'is not as expected') : `is ${figure}`}; ${own.expect} is wanted.`;
      if (met) return pass(sentence);
      return (own.otherwise === 'fail' ? fail : warn)(sentence, own.fix);
    },
  };
}

function needOf({ read }: OwnRule): Need {
  if ('sysctl' in read) return { file: sysctlPath(read.sysctl) };
  return 'file' in read ? { file: read.file } : { config: read.config };
}

function nameOf({ read }: OwnRule): string {
  if ('sysctl' in read) return read.sysctl;
  const { line } = read;
  const place = 'file' in read ? read.file : read.config;
  return line === undefined ? place : `${line.trim()} in ${place}`;
}

function textOf(facts: Facts, need: Need): string {
  if ('config' in need) return facts.config(need.config).text;
  return 'file' in need ? facts.file(need.file) : '';
}

/** What stands behind the beginning of the wanted line, or in the first line. Pure; without patterns, which a file could make endless. */
function valueOf({ read }: Pick<OwnRule, 'read'>, text: string): string {
  const wanted = 'line' in read ? read.line?.trim() : undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const found =
    wanted === undefined
      ? lines[0]
      : lines
          .filter((line) => line.startsWith(wanted))
          .at(-1)
          ?.slice(wanted.length);
  if (found === undefined) throw new UnreadError(`No line begins with "${wanted ?? ''}".`);
  const rest = found.replace(/^[\s=:]+/, '').replace(/[\s;]+$/, '');
  if (read.word === undefined) return rest;
  const word = rest.split(/\s+/)[read.word - 1];
  if (word === undefined)
    throw new UnreadError(`There is no word ${read.word} in "${wanted ?? 'the first line'}".`);
  return word;
}
