import { isNode, isScalar, parse, type Document } from 'yaml';
import { readNodes } from './nodeReader';
import type { NodeSettings } from '../nodeSettings';
import type { Plan } from './plan';
import { checkReferences, warningsOf } from './planChecks';
import { planDocument } from './planDocument';
import { PlanError, PlanField } from './planField';
import { readPlan } from './planReader';

export { PlanError } from './planField';
export { nodesToYaml, planFileName, planToCommandLine, planToShellCommand, planToYaml } from './planText';

export interface ParsedPlan {
  readonly plan: Plan;
  /** What is allowed and yet looks like a mistake, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads a plan's text. Throws a `PlanError` that names line and field of the first fault and what to do about it. Given the time (Unix ms), a
 * schedule that begins in the past is among the warnings.
 */
export function parsePlan(text: string, nowMs?: number): ParsedPlan {
  const { document, lines } = planDocument(text);
  const root = new PlanField({ document, lines }, document.contents, '', 0);
  if (document.contents === null) root.fail('The plan is empty. Start with "name:", "nodes:" and "pull:".');
  const { plan, fields } = readPlan(root);
  checkReferences(plan, fields);
  return { plan, warnings: warningsOf(plan, nowMs) };
}

/** Reads a fleet's text: the `nodes` of a plan and nothing else. Throws a `PlanError`. */
export function parseNodes(text: string): Record<string, NodeSettings> {
  const { document, lines } = planDocument(text);
  const root = new PlanField({ document, lines }, document.contents, '', 0);
  if (document.contents === null) root.fail('There is nothing in it. A fleet starts with "nodes:".');
  const fields = root.map(['nodes']);
  return readNodes(root.required(fields, 'nodes', 'A fleet starts with "nodes:".'));
}

/**
 * Reads a plan's text after setting single fields of it, each `path=value` as in `pull.viewers=200` or `publish.0.stream=cam`.
 * A fault in what was set is a `PlanError` of line 0.
 */
export function applySet(text: string, sets: readonly string[], nowMs?: number): ParsedPlan {
  const untouched = parsePlan(text, nowMs);
  if (sets.length === 0) return untouched;
  const { document } = planDocument(text);
  const paths = sets.map((set) => setField(document, set));
  try {
    return parsePlan(document.toString(), nowMs);
  } catch (error) {
    // Lines of the changed text are nobody's: the text as it was is valid, so the fault is in what was set.
    if (error instanceof PlanError) throw new PlanError(0, 0, error.path || (paths[0] ?? ''), error.sentence);
    throw error;
  }
}

function setField(document: Document.Parsed, set: string): string {
  const equals = set.indexOf('=');
  const path = set.slice(0, Math.max(0, equals)).trim();
  if (!path) throw new PlanError(0, 0, '', `"${set}" is not understood. Write it like pull.viewers=200.`);
  const keys = path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const raw = set.slice(equals + 1).trim();
  for (let depth = 1; depth < keys.length; depth += 1) {
    const above = document.getIn(keys.slice(0, depth), true);
    if (isScalar(above) || (above !== undefined && !isNode(above)))
      throw new PlanError(0, 0, path, `"${keys.slice(0, depth).join('.')}" has no fields of its own.`);
  }
  document.setIn(keys, document.createNode(settableValue(raw, path)));
  return path;
}

/** Lists, maps and quoted texts are YAML; anything else is a number or a text as it stands (`>= 99%` would be none in YAML). */
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
