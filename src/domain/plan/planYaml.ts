import { isNode, isScalar, parse, type Document } from 'yaml';
import { planFields } from './fields/plan';
import { mapOf, readFields } from './fields/fields';
import type { NodeSettings } from '../model/nodeSettings';
import type { Plan } from '../model/plan';
import { checkReferences, warningsOf } from './planChecks';
import { planDocument } from './planDocument';
import { PlanError, PlanField } from './planField';
import { readPlan } from './planReader';

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
  const source = planDocument(text);
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
  const { document } = planDocument(text);
  const paths = sets.map((set) => setField(document, set));
  try {
    const { plan, warnings } = parsePlan(document.toString(), nowMs);
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
    // Lines of the changed text are meaningless to the user: the original text is valid, so the fault is in a set
    // value.
    if (error instanceof PlanError) throw new PlanError(0, 0, error.path || (paths[0] ?? ''), error.sentence);
    throw error;
  }
}

function setField(document: Document.Parsed, set: string): string {
  const equals = set.indexOf('=');
  const path = set.slice(0, Math.max(0, equals)).trim();
  if (!path) throw new PlanError(0, 0, '', `"${set}" is not valid. Write it like pull.viewers=200.`);
  const keys = path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const raw = set.slice(equals + 1).trim();
  for (let depth = 1; depth < keys.length; depth += 1) {
    const above = document.getIn(keys.slice(0, depth), true);
    if (isScalar(above) || (above !== undefined && !isNode(above)))
      throw new PlanError(0, 0, path, `"${keys.slice(0, depth).join('.')}" has no fields.`);
  }
  document.setIn(keys, document.createNode(settableValue(raw, path)));
  return path;
}

/** Lists, maps and quoted texts are YAML; anything else is a number or a plain text (`>= 99%` is not valid YAML). */
function settableValue(raw: string, path: string): unknown {
  if (/^-?\d+(\.\d+)?$/.test(raw)) return Number(raw);
  if (!/^[[{"']/.test(raw)) return raw;
  try {
    planDocument(raw);
    return parse(raw) as unknown;
  } catch {
    throw new PlanError(0, 0, path, `${raw} is not valid YAML.`);
  }
}
