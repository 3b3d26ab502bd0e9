import { nodesToYaml } from '../domain/plan/planYaml';
import type { NodeSettings } from '../domain/model/nodeSettings';
import type { ProbeRow, ProbeView } from '../domain/model/probe';
import { visibleLine } from '../domain/text/visibleText';
import type { Engine } from '../engine';
import type { Command } from './args';
import { commandEngine } from './commandEngine';
import type { Installation } from './installation';
import { exitCodes } from './runCommand';
import { print } from './print';

type NodeCommand = Extract<Command, { command: 'probe' | 'remove-agent' }>;

const signs: Readonly<Record<ProbeRow['state'], string>> = {
  found: '+',
  absent: '-',
  failed: '!',
  probing: '?',
};

/** Probes an address and prints the findings, with the lines for a plan. */
export async function probeCommand(command: NodeCommand, installation: Installation): Promise<number> {
  return withEngine(command.acceptHostKeys, installation, async (engine) => {
    const view = await probed(engine, command);
    for (const row of view.rows) {
      const took = row.tookMs === undefined ? '' : `  ${Math.round(row.tookMs)} ms`;
      const found = visibleLine([row.found, row.detail].filter(Boolean).join(' · '));
      print(`${signs[row.state]} ${row.label.padEnd(14)} ${found}${took}\n`);
    }
    if (view.hostKey)
      print(
        `\nTo trust the key of ${view.hostKey.host}, compare its fingerprint and add: --accept-host-key ${view.hostKey.fingerprint}\n`,
      );
    const settings: NodeSettings | undefined = view.origins[0]?.settings ?? view.tester;
    if (!settings) return exitCodes.notMade;
    print(`\nIn a plan:\n${nodesToYaml({ [view.suggestedName]: settings })}`);
    return exitCodes.pass;
  });
}

/** Uninstalls the agent from a tester and prints what is left there. */
export async function removeAgentCommand(command: NodeCommand, installation: Installation): Promise<number> {
  return withEngine(command.acceptHostKeys, installation, async ({ client }) => {
    const node = await client.call('nodes.add', {
      name: 'tester',
      settings: { tester: 'ssh', ssh: command.address, keyFile: command.keyFile, jump: command.jump },
      secrets: {},
    });
    const { remaining } = await client.call('nodes.removeAgent', { node: node.id });
    print(
      remaining.length === 0
        ? `No files or processes are left on ${command.address}.\n`
        : `Left on ${command.address}:\n${remaining.join('\n')}\n`,
    );
    return remaining.length === 0 ? exitCodes.pass : exitCodes.notPass;
  });
}

async function withEngine(
  acceptHostKeys: readonly string[],
  installation: Installation,
  act: (engine: Engine) => Promise<number>,
): Promise<number> {
  const engine = commandEngine(installation, { acceptHostKeys });
  try {
    return await act(engine);
  } finally {
    await engine.shutdown(true);
  }
}

function probed(engine: Engine, command: NodeCommand): Promise<ProbeView> {
  const { address, keyFile, jump } = command;
  return new Promise((resolve, reject) => {
    engine.client.on('probe', (view) => {
      if (view.isDone) resolve(view);
    });
    engine.client.call('nodes.probe', { probe: 'cli', address, keyFile, jump, secrets: {} }).catch(reject);
  });
}
