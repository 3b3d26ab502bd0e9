import { formatDuration } from '../../domain/timeFormat';
import type { MachineFingerprint, NodeView } from '../../domain/node';
import type { Plan } from '../../domain/plan';
import { eachText } from '../../domain/shares';
import { protocolNames } from '../nodes/protocolNames';
import { bytesFigure, chosen, grouped } from '../format/numbers';

export interface RecipeRow {
  readonly name: string;
  readonly text: string;
  /** More than the row has room for. */
  readonly detail?: string;
}

function machineText(machine: MachineFingerprint): string {
  const memory = bytesFigure(machine.memoryBytes);
  return `${machine.cores} × ${machine.cpuModel}, ${memory.text} ${memory.unit}`;
}

function versionsText(machine: MachineFingerprint): string {
  return Object.entries(machine.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

/** What was run and what it was measured on; machines that several nodes share stand once. */
export function recipeRows(plan: Plan, nodes: readonly NodeView[]): readonly RecipeRow[] {
  const { pull } = plan;
  const rows: RecipeRow[] = [
    {
      name: 'Plan',
      text: `${grouped(pull.viewers)} × ${protocolNames[pull.protocol]} at ${chosen(pull.ratePerSecond)} /s, hold ${formatDuration(pull.holdMs)}`,
    },
    ...(pull.by.length > 1
      ? [{ name: 'Testers', text: `${pull.by.join(', ')}, ${eachText(pull.viewers, pull.by.length)} each` }]
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
