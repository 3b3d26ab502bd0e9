import { formatDuration } from '../../domain/timeFormat';
import { machineText } from '../../domain/machineText';
import type { MachineFingerprint, NodeView } from '../../domain/node';
import type { Plan, PlanPull } from '../../domain/plan/plan';
import { sharesOf, sharesText } from '../../domain/shares';
import { protocolNames } from '../nodes/protocolNames';
import { chosen, counted, grouped } from '../format/numbers';

export interface RecipeRow {
  readonly name: string;
  readonly text: string;
  /** More than the row has room for. */
  readonly detail?: string;
}

function versionsText(machine: MachineFingerprint): string {
  return Object.entries(machine.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

function courseText({ viewers, ratePerSecond, holdMs, protocol, stages, search }: PlanPull): string {
  const by = protocolNames[protocol];
  if (search)
    return `limit looked for by ${by}, from ${grouped(search.fromViewers)} to ${grouped(search.mostViewers)}`;
  if (stages)
    return `up to ${grouped(viewers)} × ${by} in ${counted(stages.length, 'stage')}, ${formatDuration(holdMs)}`;
  const hold = holdMs === 0 ? 'until stopped' : formatDuration(holdMs);
  return `${grouped(viewers)} × ${by} at ${chosen(ratePerSecond)} /s, hold ${hold}`;
}

/** What was run and what it was measured on; machines that several nodes share stand once. */
export function recipeRows(plan: Plan, nodes: readonly NodeView[]): readonly RecipeRow[] {
  const { pull } = plan;
  const rows: RecipeRow[] = [
    {
      name: 'Plan',
      text: courseText(pull),
    },
    ...(pull.by.length > 1
      ? [
          {
            name: 'Testers',
            text: `${pull.by.join(', ')}, ${sharesText(sharesOf(pull.viewers, pull.by, pull.weights))} each`,
          },
        ]
      : []),
    ...(pull.realism === 'full' ? [{ name: 'Viewers', text: 'as true as a browser' }] : []),
  ];
  const hosts = new Map<string, { names: string[]; machine: MachineFingerprint }>();
  for (const node of nodes) {
    if (!node.machine) continue;
    const known = hosts.get(node.host);
    if (known) known.names.push(node.name);
    else hosts.set(node.host, { names: [node.name], machine: node.machine });
  }
  for (const { names, machine } of hosts.values()) {
    rows.push({ name: names.join(', '), text: machineText(machine), detail: machineText(machine) });
    rows.push({
      name: 'System',
      text: machine.system,
      detail: `${machine.system}, kernel ${machine.kernel}`,
    });
    if (machine.openFilesLimit !== undefined)
      rows.push({ name: 'Open files', text: `${grouped(machine.openFilesLimit)} at most` });
    const versions = versionsText(machine);
    if (versions) rows.push({ name: 'Versions', text: versions, detail: versions });
  }
  for (const node of nodes.filter((each) => each.role === 'origin' && each.software))
    rows.push({ name: 'Server', text: node.software ?? '' });
  return rows;
}
