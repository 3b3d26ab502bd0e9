import { delayBounds } from '../../../contract/delayCalls';
import { parsePathExpectation } from '../../../domain/delay/expectation';
import { parseDuration } from '../../../domain/plan/quantity';
import { tableExtension } from '../../../engine/delay/delayTables';
import { command, form } from '../../command';
import {
  defaultOut,
  file,
  flag,
  forHow,
  json,
  nodeChoices,
  nodeOptions,
  out,
  planChoices,
  planOptions,
  runName,
  selfSigned,
  text,
  texts,
  user,
  withDefault,
} from '../../options';
import { numberOf } from '../../optionValues';
import { UsageError } from '../../usageError';
import { standardInput } from '../../readPlan';
import { runDelay } from './measureDelay';

const usualFor = '10s';
const usualRepeats = '3';
const usualViewers = '100';

export const delay = command({
  name: 'delay',
  operand: 'plan',
  options: {
    ...nodeOptions,
    ...planOptions,
    ...{ user, 'self-signed': selfSigned, json },
    for: forHow,
    repeat: withDefault(text('N', 'how often each path is measured, each time with a new publication'), usualRepeats),
    'under-load': flag('measure again while viewers pull the stream, or while the plan runs'),
    viewers: withDefault(text('N', 'viewers of this machine under load, where no plan is given'), usualViewers),
    path: texts('ID', 'only this path, as listed by --paths, e.g. "vp8 simulcast"'),
    paths: flag('list the paths of the server, measure nothing'),
    expect: texts('EXPECTATION', 'what has to hold, e.g. "p95 <= 500ms", or for one path "vp8: p95 <= 300ms"'),
    before: file(`an earlier table with which the result is compared; a change for the worse fails`, 'TABLE'),
    out: withDefault(out, defaultOut),
    name: runName,
  },
  forms: [
    form(
      'ADDRESS|lab [--repeat 3] [--for 10s] [--under-load [--viewers 100]] [--path ID ...] [--expect "p95 <= 500ms"]',
      'measure the glass-to-glass delay of every path of a server',
    ),
    form('PLAN.yaml [--under-load] [...]', 'measure the origin of a plan, also while the plan runs'),
    form(`TABLE${tableExtension} [AFTER${tableExtension}]`, 'print a kept table, or compare two'),
  ],
  examples: [
    'delay lab --repeat 1 --for 5s --path vp8',
    'delay http://10.0.0.9:8889 --under-load --expect "p95 <= 500ms"',
    `delay runs/delays/before${tableExtension} runs/delays/after${tableExtension}`,
  ],
  exitCodes: {
    fail: 'an expectation does not hold, or a delay is worse than in the earlier table',
    inconclusive: 'an expected path could not be measured',
    stopped: 'stopped by Ctrl-C or another signal; what was measured is kept',
  },
  read: ({ values, operands, given }) => {
    const isTable = (name: string): boolean => name.endsWith(tableExtension);
    const [first, ...others] = operands;
    if (first === undefined)
      throw new UsageError('Specify what to measure: ADDRESS, PLAN.yaml or lab; or kept tables.');
    const areTables = operands.every(isTable);
    if (others.length > (areTables ? 1 : 0))
      throw new UsageError(`Specify one server or plan, or two files *${tableExtension} to compare.`);
    requireUsed(given, areTables, /\.ya?ml$/i.test(first) || first === standardInput, values['under-load']);
    if (others.length > 0 && values.before !== undefined)
      throw new UsageError('Two tables are compared with each other: leave out --before, or the first of them.');
    const measureMs = parseDuration(values.for ?? usualFor);
    const { least, most } = delayBounds.measureMs;
    if (measureMs === undefined || measureMs < least || measureMs > most)
      throw new UsageError(`--for "${values.for ?? ''}" is not a duration from ${least / 1000} s to ${most / 1000} s.`);
    return {
      ...nodeChoices(values),
      ...planChoices(values),
      ...{ user: values.user, selfSigned: values['self-signed'], json: values.json, name: values.name },
      subject: first,
      tables: areTables ? operands : [],
      measureMs,
      repeats: numberOf('--repeat', values.repeat, delayBounds.repeats.least, delayBounds.repeats.most),
      viewers: values['under-load']
        ? numberOf('--viewers', values.viewers, delayBounds.viewers.least, delayBounds.viewers.most)
        : undefined,
      ...{ paths: values.path, listsPaths: values.paths, before: values.before, out: values.out },
      expectations: values.expect.map((typed) => {
        const expectation = parsePathExpectation(typed);
        if (typeof expectation === 'string') throw new UsageError(`--expect: ${expectation}`);
        return expectation;
      }),
    };
  },
  run: runDelay,
});

const forTables = new Set(['expect', 'before', 'json', 'verbose']);

/** Refuses options that would have no effect. */
function requireUsed(given: ReadonlySet<string>, areTables: boolean, isPlan: boolean, isLoaded: boolean): void {
  const unused = [...given].find((name) => areTables && !forTables.has(name));
  if (unused !== undefined)
    throw new UsageError(`--${unused} has no effect on kept tables, of which nothing is measured; leave it out.`);
  if (given.has('viewers') && !isLoaded)
    throw new UsageError('--viewers is the number under load; add --under-load, or leave it out.');
  if (given.has('viewers') && isPlan) throw new UsageError('--viewers has no effect: the load is that of the plan.');
  if (given.has('set') && !isPlan && !areTables) throw new UsageError('--set changes a field of a plan; specify one.');
}
