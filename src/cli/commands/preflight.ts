import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogueTable } from '../../engine/preflight/catalogueTable';
import { countsText, groupsOf, resultLabels } from '../../domain/preflight/arrange';
import type { PreflightReport, PreflightResult } from '../../domain/model/preflightReport';
import { command, form } from '../command';
import { commandEngine, reportUnknownKeys } from '../commandEngine';
import { consentOptions, consentTo } from '../consent';
import type { Installation } from '../installation';
import { flag, folder, json, otherwise, planChoices, planOptions, type PlanChoices } from '../options';
import { readPlan } from '../readPlan';
import { exitCodes, runExitCodes } from '../exitCodes';
import { print, printDocument, printJson, printStatus } from '../print';
import { onStopSignal, StoppedBySignal } from '../stopSignals';

export const preflight = command({
  name: 'preflight',
  operand: 'plan',
  options: {
    json,
    rules: otherwise(folder('a folder with your own rules of the preflight'), 'the rules of the preflight only'),
    catalogue: flag('list the rules of the preflight'),
    ...planOptions,
  },
  forms: [
    form('PLAN.yaml [--json] [--rules DIR] [--set ...]', "check the plan's nodes before a run; starts nothing"),
    form('--catalogue [--json]', 'list the rules'),
  ],
  examples: ['preflight plans/pull-1000-lab.yaml', 'preflight --catalogue'],
  exitCodes: { pass: 'no rule fails', fail: 'a rule fails', stopped: runExitCodes.stopped },
  read: ({ values, operand }) => ({
    plan: values.catalogue ? undefined : operand('PLAN.yaml'),
    json: values.json,
    rules: values.rules,
    ...planChoices(values),
  }),
  run: runPreflight,
});

interface PreflightInput extends PlanChoices {
  /** Undefined: the catalogue of rules is printed. */
  readonly plan: string | undefined;
  readonly json: boolean;
  /** A folder with the user's own rules. */
  readonly rules: string | undefined;
}

/**
 * Checks the nodes of a plan and prints the findings; nothing is started. The exit code is 0 when no rule fails.
 * `--catalogue` prints the rules as Markdown.
 */
async function runPreflight(input: PreflightInput, installation: Installation): Promise<number> {
  const { plan: path } = input;
  if (path === undefined) {
    printDocument(`${catalogueTable()}\n`);
    return exitCodes.pass;
  }
  const plan = await readPlan({ ...input, plan: path }, printStatus);
  if (!plan) return exitCodes.notStarted;
  if (input.rules !== undefined && !existsSync(input.rules)) {
    printStatus(`The folder of rules ${input.rules} does not exist.`);
    return exitCodes.notStarted;
  }
  const { rules, acceptHostKeys } = input;
  const engine = commandEngine(installation, {
    acceptHostKeys,
    consent: consentOptions({ plan: path, sets: input.sets }),
    ...(rules === undefined ? {} : { rulesFolder: resolve(rules) }),
  });
  const id = 'cli';
  let isStopped = false;
  const stop = (): void => {
    isStopped = true;
    void engine.client.call('preflight.cancel', { id });
  };
  const endSignals = onStopSignal(stop);
  try {
    const allowed = await consentTo(engine, plan, input, { scope: 'nodes' });
    if (!allowed) return exitCodes.notStarted;
    const report = await engine.client.call('preflight.run', { id, plan, ...allowed });
    const { nodes } = await engine.client.call('engine.state', {});
    reportUnknownKeys(nodes);
    if (input.json) printJson(report);
    else print(...preflightLines(report));
    return report.findings.some(({ result }) => result === 'fail') ? exitCodes.fail : exitCodes.pass;
  } catch (error) {
    if (isStopped) throw new StoppedBySignal((error as Error).message);
    throw error;
  } finally {
    endSignals();
    await engine.shutdown(true);
  }
}

const signs: Readonly<Record<PreflightResult, string>> = { pass: '+', warn: '~', fail: '!', unread: '?' };

/** The report as lines for a terminal: by node, failures first, each with its fix. */
function preflightLines({ findings }: PreflightReport): string[] {
  const lines = groupsOf(findings).flatMap(({ node, rows }) => [
    `${node}: ${countsText(findings.filter((finding) => finding.node === node))}`,
    ...rows.flatMap(({ finding, also }) => [
      `  ${signs[finding.result]} ${resultLabels[finding.result].padEnd(8)} ${finding.title}: ${finding.sentence}`,
      ...(also.length > 0 ? [`             the same for ${also.join(', ')}`] : []),
      ...(finding.fix === undefined ? [] : finding.fix.split('\n').map((line) => `             ${line}`)),
    ]),
    '',
  ]);
  return [...lines, countsText(findings)];
}
