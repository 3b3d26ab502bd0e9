import type { Plan } from '../../domain/model/plan';
import { itemLine, newNodeLine } from '../../domain/consent/consentText';
import { positionIn } from '../../domain/plan/planPosition';
import { applySet, PlanError } from '../../domain/plan/planYaml';
import { systemClock } from '../../engine/base/clock';
import { takeSecretsFromVariables } from '../../engine/base/secretPlace';
import { checkOffline } from '../../engine/runs/offlineCheck';
import { SecretBox } from '../../engine/secrets/secretBox';
import { readOpenFilesLimit, readPortCount } from '../../engine/telemetry/processLimits';
import { command, form } from '../command';
import { commandEngine } from '../commandEngine';
import { consentOptions } from '../consent';
import { exitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import { json, planOrPreset, preset, set } from '../options';
import { withPresetFile } from '../presetFile';
import { print, printJson, printStatus } from '../print';
import { planSource, readPlanText } from '../readPlan';

export const check = command({
  name: 'check',
  operand: 'plan',
  options: { preset, set, json },
  forms: [
    form(
      'PLAN.yaml [--set a.b=c ...] [--json]',
      'validate a plan and all it names on this machine, each fault with file and line; contacts nothing',
    ),
  ],
  examples: [
    'check plans/pull-1000-lab.yaml',
    'check --preset smoke-10 --set nodes.origin.whep=http://10.0.0.9:8080/whep',
  ],
  exitCodes: { pass: 'no faults', notStarted: 'a fault in the plan, or invalid arguments' },
  read: (args) => ({ ...planOrPreset(args.values.preset, args), sets: args.values.set, json: args.values.json }),
  run: (input, installation) => checkPlan(withPresetFile(input, installation), installation),
});

interface CheckInput {
  readonly plan: string;
  /** The plan is the name of a preset. */
  readonly isPreset: boolean;
  readonly sets: readonly string[];
  readonly json: boolean;
}

/** Something in a plan, with its place in the file; line 0: in a value of `--set`. */
interface Remark {
  readonly line: number;
  readonly column: number;
  /** The field; empty: the plan as a whole. */
  readonly path: string;
  readonly sentence: string;
}

interface Checked {
  readonly faults: readonly Remark[];
  readonly warnings: readonly Remark[];
  readonly plan?: Plan;
}

/** Validates a plan without a run: contacts nothing, starts nothing. The exit code is 2 with any fault. */
async function checkPlan(input: CheckInput, installation: Installation): Promise<number> {
  const text = await readPlanText(input.plan, printStatus);
  if (text === undefined) return exitCodes.notStarted;
  takeSecretsFromVariables(true);
  const { plan, faults, warnings } = await checked(text, input.sets);
  const consent = plan && faults.length === 0 ? await neededConsent(plan, input, installation) : [];
  const source = planSource(input.plan);
  if (input.json) printJson({ plan: source, faults, warnings, consent });
  else {
    print(...faults.map((fault) => `${placeOf(source, fault)}: ${fault.sentence}`));
    print(...warnings.map((warning) => `${placeOf(source, warning)}: warning: ${warning.sentence}`));
    if (consent.length > 0) print('A run needs:', ...consent.map(({ option, sentence }) => `  ${option}: ${sentence}`));
    printStatus(summaryOf(source, faults.length, warnings.length));
  }
  return faults.length > 0 ? exitCodes.notStarted : exitCodes.pass;
}

async function checked(text: string, sets: readonly string[]): Promise<Checked> {
  let parsed;
  try {
    parsed = applySet(text, sets, systemClock.wall());
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    const { line, column, path, sentence } = error;
    return { faults: [{ line, column, path, sentence }], warnings: [] };
  }
  const { plan } = parsed;
  const place = positionIn(text);
  const typed = sets.map((set) => set.slice(0, set.indexOf('=')).trim());
  const located = ({ path, sentence }: { readonly path: string; readonly sentence: string }): Remark => {
    const isTyped = typed.some((typedPath) => path === typedPath || path.startsWith(`${typedPath}.`));
    return { ...(isTyped ? { line: 0, column: 0 } : place(path)), path, sentence };
  };
  const [openFiles, ports] = await Promise.all([readOpenFilesLimit(), readPortCount()]);
  const { faults, doubts } = checkOffline(plan, {
    secrets: new SecretBox(process.env, process.env),
    openFiles,
    ports,
  });
  return {
    plan,
    faults: inOrder(faults.map(located)),
    warnings: [...parsed.warnings.map(ofWarning), ...inOrder(doubts.map(located))],
  };
}

/** A warning of the reader names its line and field, if it has any. */
function ofWarning(warning: string): Remark {
  const [, line = '0', path = '', sentence = warning] = /^Line (\d+), ([^:\s]+): (.*)$/s.exec(warning) ?? [];
  return { line: Number(line), column: line === '0' ? 0 : 1, path, sentence };
}

/** By place; the same sentence about several fields is one. */
function inOrder(remarks: readonly Remark[]): Remark[] {
  const first = remarks.filter(
    ({ sentence }, index) => remarks.findIndex((other) => other.sentence === sentence) === index,
  );
  return first.sort((a, b) => a.line - b.line || a.column - b.column);
}

function placeOf(source: string, { line, column, path }: Remark): string {
  if (line > 0) return `${source}:${line}:${column}`;
  return path === '' ? source : `--set ${path}`;
}

function summaryOf(source: string, faults: number, warnings: number): string {
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  const all = [
    faults > 0 ? counted(faults, 'fault') : 'no faults',
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return `${source}: ${all.join(', ')}. Nothing was contacted.`;
}

/** What a person has to allow before a run. */
async function neededConsent(plan: Plan, input: CheckInput, installation: Installation) {
  const engine = commandEngine(installation, { consent: consentOptions(input) });
  try {
    const { items, newNodes } = await engine.client.call('plans.consent', { plan, scope: 'run' });
    return [
      ...items.map((item) => ({ option: '--allow-hooks', sentence: itemLine(item) })),
      ...newNodes.map((node) => ({ option: '--yes', sentence: newNodeLine(node) })),
    ];
  } finally {
    await engine.shutdown(true);
  }
}
