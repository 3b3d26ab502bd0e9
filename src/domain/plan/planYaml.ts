import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parse,
  Scalar,
  visit,
  type YAMLSeq,
} from 'yaml';
import { planFields } from './fields/plan';
import { mapOf, readFields } from './fields/fields';
import type { NodeSettings } from '../model/nodeSettings';
import { defaultExpectations, type Plan } from '../model/plan';
import { checkReferences, warningsOf } from './planChecks';
import { planDocument } from './planDocument';
import { noLoad } from './publishRules';
import { PlanError, PlanField, type PlanSource } from './planField';

export { PlanError } from './planField';
export { nodesToYaml, planFileName, planToCommandLine, planToShellCommand, planToYaml } from './planText';

export interface ParsedPlan {
  readonly plan: Plan;
  /** Warnings: allowed, but probably a mistake; one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads a plan's text. Throws a `PlanError` that states line and field of the first fault and what to do about it.
 * Given the time (Unix ms), the warnings include a schedule that starts in the past.
 */
export function parsePlan(text: string, nowMs?: number): ParsedPlan {
  return planOf(planDocument(text), nowMs);
}

function planOf(source: PlanSource, nowMs: number | undefined): ParsedPlan {
  const { document, deprecated } = source;
  const root = new PlanField(source, document.contents, '', 0);
  if (document.contents === null) root.fail('The plan is empty. Start with "name:", "nodes:" and "pull:".');
  const { plan, fields } = readPlan(root);
  checkReferences(plan, fields);
  return { plan, warnings: [...deprecated, ...warningsOf(plan, nowMs)] };
}

/** Reads a fleet's text: only the `nodes` of a plan. Throws a `PlanError`. */
export function parseNodes(text: string): Record<string, NodeSettings> {
  const source = planDocument(text);
  const root = new PlanField(source, source.document.contents, '', 0);
  if (source.document.contents === null) root.fail('The fleet is empty. It starts with "nodes:".');
  const only = { nodes: { ...planFields.nodes, missing: 'A fleet starts with "nodes:".' } };
  return readFields(root, mapOf(root, only), only, '').nodes;
}

const lineNumber = /^Line \d+, /;

/**
 * Reads a plan's text after setting single fields, each `path=value` as in `pull.viewers=200` or
 * `publish.0.stream=cam`. A fault in a set value is a `PlanError` of line 0.
 */
export function applySet(text: string, sets: readonly string[], nowMs?: number): ParsedPlan {
  const untouched = parsePlan(text, nowMs);
  if (sets.length === 0) return untouched;
  const source = planDocument(text);
  const paths = sets.map((set) => setField(source.document, set));
  try {
    const { plan, warnings } = planOf(source, nowMs);
    // Lines are those of the original text; a set value has none.
    const original = new Map(untouched.warnings.map((warning) => [warning.replace(lineNumber, ''), warning]));
    return {
      plan,
      warnings: warnings.map((warning) => {
        const text = warning.replace(lineNumber, '');
        return original.get(text) ?? (text === warning ? warning : `--set ${text}`);
      }),
    };
  } catch (error) {
    // The original text is valid, so the fault is in a set value, which has no line.
    if (error instanceof PlanError) throw new PlanError(0, 0, error.path || (paths[0] ?? ''), error.sentence);
    throw error;
  }
}

function setField(document: Document.Parsed, set: string): string {
  const equals = set.indexOf('=');
  const path = set.slice(0, Math.max(0, equals)).trim();
  if (!path) throw new PlanError(0, 0, '', `"${set}" is not valid. Write it like pull.viewers=200.`);
  if (/\[\d+\]/.test(path))
    throw new PlanError(0, 0, path, `Write the place in a list as ${path.replace(/\[(\d+)\]/g, '.$1')}.`);
  const keys = path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const raw = set.slice(equals + 1).trim();
  for (let depth = 1; depth < keys.length; depth += 1) {
    const place = keys.slice(0, depth);
    const above = document.getIn(place, true);
    // The value of an anchor is changed here only, not wherever else it is used.
    if (isAlias(above)) document.setIn(place, above.resolve(document)?.clone());
    if (isScalar(above) || (above !== undefined && !isNode(above)))
      throw new PlanError(0, 0, path, `"${place.join('.')}" has no fields.`);
    if (isSeq(above)) requirePlace(above, keys, depth, path);
  }
  if (raw === 'null' && !document.hasIn(keys)) throw new PlanError(0, 0, path, 'It does not exist in the plan.');
  if (raw === 'null') document.deleteIn(keys);
  else document.setIn(keys, settableNode(document, raw, path));
  // Keys of new fields are plain texts, unlike those that were parsed.
  visit(document, {
    Pair: (_, pair) => {
      if (!isNode(pair.key)) pair.key = new Scalar(pair.key);
    },
  });
  return path;
}

/** A place in a list is one of its items, or the next one as a whole. */
function requirePlace(list: YAMLSeq, keys: readonly (string | number)[], depth: number, path: string): void {
  const key = keys[depth];
  const isNext = key === list.items.length && depth === keys.length - 1;
  if (isNext || (typeof key === 'number' && key < list.items.length)) return;
  const name = keys.slice(0, depth).join('.');
  const rest = keys.slice(typeof key === 'number' || /^[-*]/.test(key ?? '') ? depth + 1 : depth);
  const items = list.items.map((item, place) => {
    const label = isMap(item) ? (item.get('label') ?? item.get('stream')) : undefined;
    return `${[name, place, ...rest].join('.')}${typeof label === 'string' ? ` (${label})` : ''}`;
  });
  const count = items.length === 1 ? '1 item' : `${items.length} items`;
  throw new PlanError(0, 0, path, `"${name}" is a list of ${count}: write ${items.join(' or ')}.`);
}

const isNumber = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i;

/**
 * The value of a field: `true`, `false` and numbers as such; lists, maps and quoted texts as YAML; anything else is a
 * plain text (`>= 99%` is not valid YAML).
 */
function settableNode(document: Document.Parsed, raw: string, path: string): Node {
  if (isNumber.test(raw)) {
    const node = new Scalar(Number(raw));
    // Where a text is expected it is this one, e.g. the stream `007`.
    node.source = raw;
    return node;
  }
  if (raw === 'true' || raw === 'false') return new Scalar(raw === 'true');
  if (!/^[[{"']/.test(raw)) return new Scalar(raw);
  try {
    planDocument(raw);
    return document.createNode(parse(raw));
  } catch {
    throw new PlanError(0, 0, path, `${raw} is not valid YAML.`);
  }
}

/** Reads each field of a plan; `fields` are those of the top level. Throws a `PlanError` at the first fault. */
function readPlan(root: PlanField): { plan: Plan; fields: ReadonlyMap<string, PlanField> } {
  const fields = mapOf(root, planFields);
  const { name, nodes, publish = [], pull, expect, ...more } = readFields(root, fields, planFields, '');
  const { stop = [], schedule, hooks = [] } = more;
  const fault = noLoad({ publish, ...pull });
  if (fault !== undefined) root.fail(fault, undefined, 'pull');
  const plan: Plan = {
    name,
    nodes,
    publish,
    ...pull,
    ...(expect ?? { expect: defaultExpectations }),
    ...(stop.length > 0 ? { stopWhen: stop } : {}),
    ...(schedule ? { schedule } : {}),
    ...(hooks.length > 0 ? { hooks } : {}),
  };
  return { plan, fields };
}
