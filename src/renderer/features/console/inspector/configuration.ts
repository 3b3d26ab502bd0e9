import { formatDuration } from '../../../../domain/text/timeFormat';
import { machineText } from '../../../../domain/node/machineText';
import type { MachineFingerprint, NodeView } from '../../../../domain/model/node';
import { isProfileOption, optionNames, optionRows } from '../../../../domain/model/options';
import type { Plan, Audience } from '../../../../domain/model/plan';
import { distributeViewers, distributionText } from '../../../../domain/model/distribution';
import { publisherGroups } from '../../../../domain/model/publisherGroup';
import { allAudiences } from '../../../../domain/plan/audiences';
import { optionText } from '../../../../domain/plan/optionTexts';
import { protocolNames } from '../../../../domain/model/protocols';
import { chosen, counted, grouped } from '../../../ui/format/numbers';

export interface ConfigurationRow {
  readonly name: string;
  readonly text: string;
  /** Longer text for the tooltip. */
  readonly detail?: string;
}

function versionsText(machine: MachineFingerprint): string {
  return Object.entries(machine.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}

function courseText({ viewers, ratePerSecond, holdMs, protocol, stages, search }: Audience): string {
  const by = protocolNames[protocol];
  if (search) return `limit search over ${by}, ${grouped(search.fromViewers)} to ${grouped(search.maxViewers)}`;
  if (stages)
    return `up to ${grouped(viewers)} × ${by} in ${counted(stages.length, 'stage')}, ${formatDuration(holdMs)}`;
  const hold = holdMs === 0 ? 'until stopped' : formatDuration(holdMs);
  return `${grouped(viewers)} × ${by} at ${chosen(ratePerSecond)} /s, hold ${hold}`;
}

/** Settings of an audience that are not the usual ones, by name; its load profile is told apart. */
function optionsOf(pull: Audience): ReadonlyArray<readonly [string, string | undefined]> {
  return [
    [
      'Testers',
      pull.by.length > 1
        ? `${pull.by.join(', ')}, ${distributionText(distributeViewers(pull.viewers, pull.by, pull.weights))} each`
        : undefined,
    ],
    ...optionNames
      .filter((name) => !isProfileOption(name))
      .map((name) => [optionRows[name].title, optionText(name, pull)] as const),
  ];
}

/** Configuration and machines of a run; a machine that several nodes share is listed once. */
export function configurationRows(plan: Plan, nodes: readonly NodeView[]): readonly ConfigurationRow[] {
  const audiences = allAudiences(plan);
  const rows: ConfigurationRow[] = audiences.flatMap(({ name: audience, pull }) => {
    const isOnly = audiences.length === 1;
    const options = optionsOf(pull).flatMap(([name, text]) =>
      text === undefined ? [] : [{ name: isOnly ? name : `${name} of ${audience}`, text }],
    );
    return [{ name: isOnly ? 'Plan' : audience, text: courseText(pull) }, ...options];
  });
  for (const { publication, by, publishers, ratePerSecond, holdMs, search } of publisherGroups(plan)) {
    const { stream, node, protocol } = publication;
    const over = protocol === undefined ? '' : ` over ${protocolNames[protocol]}`;
    const hold = holdMs === 0 ? 'until stopped' : formatDuration(holdMs);
    const target = `of ${stream} to ${node}${over} by ${by} at ${chosen(ratePerSecond)} /s`;
    const text = search
      ? `limit from ${grouped(search.fromViewers)} to ${counted(search.maxViewers, 'publisher')} ${target}`
      : `${counted(publishers, 'publisher')} ${target}, hold ${hold}`;
    rows.push({ name: 'Plan', text });
  }
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
      rows.push({ name: 'Open files', text: `max ${grouped(machine.openFilesLimit)}` });
    const versions = versionsText(machine);
    if (versions) rows.push({ name: 'Versions', text: versions, detail: versions });
  }
  for (const node of nodes.filter((node) => node.role === 'origin' && node.software))
    rows.push({ name: 'Server', text: node.software ?? '' });
  return rows;
}
