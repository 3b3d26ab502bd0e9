import { alertRule, sameName, type AlertRule, type RuleKind, type Severity } from '../../../domain/incidents/rules';
import { longDuration } from '../../../domain/incidents/ruleText';
import { parseDuration, writeDuration } from '../../../domain/plan/quantity';
import type { Unit } from '../../../domain/series/series';
import { seriesDefinition } from '../../../domain/series/series';

/** A rule as it is typed: all fields of all kinds, so that a change of the kind loses nothing. */
export interface RuleDraft {
  readonly name: string;
  readonly kind: RuleKind;
  readonly severity: Severity;
  /** Empty: all; `role origin`, or `node NAME`. */
  readonly nodes: string;
  readonly isOff: boolean;
  readonly notifies: boolean;
  readonly webhook: string;
  /** The program and each argument on a line of its own. */
  readonly command: string;
  /** Of the rule that is edited: its words may have line ends, which stay unless the field is changed. */
  readonly givenCommand?: readonly string[];
  readonly series: string;
  readonly side: 'above' | 'below';
  readonly limit: string;
  readonly clear: string;
  readonly time: string;
}

export type RuleField = 'name' | 'nodes' | 'webhook' | 'command' | 'series' | 'limit' | 'clear' | 'time';
export type RuleFaults = { readonly [Field in RuleField]?: string };

/** Labels of the fields that a kind has beside the common ones. */
interface KindFields {
  readonly time?: string;
  readonly limit?: string;
  readonly clear?: string;
}

const lasting = { time: 'For' };
export const kindFields: Readonly<Record<RuleKind, KindFields>> = {
  level: { limit: 'Limit', time: 'For', clear: 'Over at' },
  memory: { limit: 'Above', time: 'For', clear: 'Over at' },
  'memory-running-out': { time: 'Used up within' },
  'disk-running-out': { time: 'Used up within' },
  'node-lost': lasting,
  'publisher-gone': lasting,
  'gc-pause': { time: 'Longer than' },
  'clock-stepped': { time: 'By at least' },
  'certificate-expiring': { time: 'Within' },
  'process-restarted': {},
  'host-rebooted': {},
  'version-changed': {},
  'stream-appeared': {},
  'picture-fault': {},
};

/** The unit of its limit. */
export const limitUnit = ({ kind, series }: Pick<RuleDraft, 'kind' | 'series'>): Unit =>
  kind === 'memory' ? '%' : (seriesDefinition(series)?.unit ?? '');

const emptyDraft: Omit<RuleDraft, 'name'> = {
  ...{ kind: 'level', severity: 'warning', nodes: '', isOff: false, notifies: false, webhook: '', command: '' },
  ...{ series: 'cpuPercent', side: 'above', limit: '', clear: '', time: '1 min' },
};

/** A new rule with a name that no other has. */
export function newDraft(taken: readonly string[]): RuleDraft {
  let number = 1;
  while (taken.includes(`rule-${number}`)) number += 1;
  return { ...emptyDraft, name: `rule-${number}` };
}

/** `5 s`, `1 min`, `14 d`, in its exact length. */
export function writeTime(ms: number): string {
  const text = longDuration(ms);
  return parseTime(text) === ms ? text : writeDuration(ms);
}

/** A time with its unit, as displayed or as in a plan; NaN for anything else. */
export function parseTime(text: string): number {
  const days = /^\s*(\d+(?:\.\d+)?)\s*d(?:ays?)?\s*$/.exec(text)?.[1];
  if (days !== undefined) return Math.round(Number(days) * 86_400_000);
  return parseDuration(text.replace(/\s/g, '').replace(/min/g, 'm')) ?? NaN;
}

const numberOf = (text: string): number => (text.trim() === '' ? NaN : Number(text));
const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value));

/** One word a line; an empty one at the end is followed by a line end. */
const linesOf = (words: readonly string[]): string => words.join('\n') + (words.at(-1) === '' ? '\n' : '');

const isGiven = ({ command, givenCommand = [] }: RuleDraft): boolean => command === linesOf(givenCommand);

function wordsOf(draft: RuleDraft): readonly string[] {
  const { command, givenCommand = [] } = draft;
  if (isGiven(draft)) return givenCommand;
  const lines = command.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

export function draftOf(rule: AlertRule): RuleDraft {
  const { name, kind, severity, nodes, isOff = false, notifies = false, webhook = '', command = [] } = rule;
  const place =
    nodes?.node !== undefined ? `node ${nodes.node}` : nodes?.role !== undefined ? `role ${nodes.role}` : '';
  const common = { ...emptyDraft, name, kind, severity, nodes: place, isOff, notifies, webhook };
  const base: RuleDraft = { ...common, command: linesOf(command), givenCommand: command };
  const time = (ms: number): RuleDraft => ({ ...base, time: writeTime(ms) });
  switch (rule.kind) {
    case 'level': {
      const { series, above, below, clearBelow, clearAbove, forMs } = rule;
      const side = above === undefined ? ('below' as const) : ('above' as const);
      return { ...time(forMs), series, side, limit: textOf(above ?? below), clear: textOf(clearBelow ?? clearAbove) };
    }
    case 'memory':
      return { ...time(rule.forMs), limit: textOf(rule.abovePercent), clear: textOf(rule.clearBelowPercent) };
    case 'node-lost':
    case 'publisher-gone':
      return time(rule.forMs);
    case 'gc-pause':
    case 'clock-stepped':
      return time(rule.aboveMs);
    case 'memory-running-out':
    case 'disk-running-out':
    case 'certificate-expiring':
      return time(rule.withinMs);
    case 'process-restarted':
    case 'host-rebooted':
    case 'version-changed':
    case 'stream-appeared':
    case 'picture-fault':
      return base;
  }
}

/** The rule as typed; what is wrong in it is found by the schema of rules. */
function typedRule(draft: RuleDraft): object {
  const { name, kind, severity, nodes, isOff, notifies, webhook } = draft;
  const [, by, place = ''] = /^(node|role) (.*)$/s.exec(nodes) ?? [];
  const words = wordsOf(draft);
  const common = {
    ...{ name: name.trim(), kind, severity },
    ...(by === undefined ? {} : { nodes: { [by]: place } }),
    ...(isOff ? { isOff } : {}),
    ...(notifies ? { notifies } : {}),
    ...(webhook.trim() === '' ? {} : { webhook: webhook.trim() }),
    ...(words.length === 0 ? {} : { command: words }),
  };
  const [ms, limit] = [parseTime(draft.time), numberOf(draft.limit)];
  const clear = draft.clear.trim() === '' ? undefined : numberOf(draft.clear);
  switch (kind) {
    case 'level': {
      const end = draft.side === 'above' ? 'clearBelow' : 'clearAbove';
      return {
        ...{ ...common, series: draft.series, [draft.side]: limit, forMs: ms },
        ...(clear === undefined ? {} : { [end]: clear }),
      };
    }
    case 'memory':
      return {
        ...{ ...common, abovePercent: limit, forMs: ms },
        ...(clear === undefined ? {} : { clearBelowPercent: clear }),
      };
    case 'node-lost':
    case 'publisher-gone':
      return { ...common, forMs: ms };
    case 'gc-pause':
    case 'clock-stepped':
      return { ...common, aboveMs: ms };
    case 'memory-running-out':
    case 'disk-running-out':
    case 'certificate-expiring':
      return { ...common, withinMs: ms };
    case 'process-restarted':
    case 'host-rebooted':
    case 'version-changed':
    case 'stream-appeared':
    case 'picture-fault':
      return common;
  }
}

/** The field in which a key of a rule is typed; what concerns the whole rule is about its two limits. */
const fieldOfKey: Readonly<Record<string, RuleField>> = {
  ...{ name: 'name', nodes: 'nodes', webhook: 'webhook', command: 'command', series: 'series' },
  ...{ above: 'limit', below: 'limit', abovePercent: 'limit' },
  ...{ clearBelow: 'clear', clearAbove: 'clear', clearBelowPercent: 'clear' },
  ...{ forMs: 'time', withinMs: 'time', aboveMs: 'time' },
};

/** Absolute, or from a folder that it names: only such a program may have blanks in its name. */
const isPath = (program: string): boolean =>
  /^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(program) && !/\s--?\w[^/\\]*$/.test(program);

/** What is wrong with the lines of a command that a person has typed. */
function commandFault(draft: RuleDraft): string | undefined {
  const [program, ...rest] = wordsOf(draft);
  if (program === undefined || isGiven(draft)) return undefined;
  if (program.trim() === '')
    return rest.length > 0
      ? 'The first line is empty. Write the program there.'
      : 'Write the program on the first line, or leave the field empty.';
  return /\s/.test(program) && !isPath(program) ? 'Write each argument on a line of its own.' : undefined;
}

/** In the words of the form; the sentences of the schema are about a file of rules. */
const clearFault = ({ kind, side }: RuleDraft): string =>
  kind === 'level' && side === 'below' ? 'Enter the limit or more.' : 'Enter the limit or less.';

/** What is wrong with each field, one sentence; `others` are the names of the other rules. */
export function readRule(
  draft: RuleDraft,
  others: readonly string[],
): { readonly rule?: AlertRule; readonly faults: RuleFaults } {
  const read = alertRule.safeParse(typedRule(draft));
  const faults: { [Field in RuleField]?: string } = {};
  const command = commandFault(draft);
  if (command !== undefined) faults.command = command;
  for (const { path, message } of read.error?.issues ?? []) {
    if (path.length === 0) faults.clear ??= clearFault(draft);
    else faults[fieldOfKey[String(path[0])] ?? 'name'] ??= message;
  }
  if (others.includes(draft.name.trim())) faults.name ??= sameName;
  return Object.keys(faults).length === 0 && read.success ? { rule: read.data, faults } : { faults };
}
