import { nodesToYaml } from '../domain/plan/planYaml';
import type { NodeSettings } from '../domain/model/nodeSettings';
import type { ProbeRow, ProbeView } from '../domain/model/probe';
import type { Engine } from '../engine';
import type { Command } from './args';
import { commandEngine } from './commandEngine';
import type { Installation } from './installation';
import { exitCodes } from './exitCodes';
import { print, printDocument } from './print';

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
      const found = [row.found, row.detail].filter(Boolean).join(' · ');
      print(`${signs[row.state]} ${row.label.padEnd(14)} ${found}${took}`);
    }
    if (view.hostKey)
      print(
        '',
        `To trust the key of ${view.hostKey.host}, compare its fingerprint and add: --accept-host-key ${view.hostKey.fingerprint}`,
      );
    const settings: NodeSettings | undefined = view.origins[0]?.settings ?? view.tester;
    if (!settings) return exitCodes.notStarted;
    print('', 'In a plan:');
    printDocument(nodesToYaml({ [view.suggestedName]: settings }));
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
    if (remaining.length === 0) print(`No files or processes are left on ${command.address}.`);
    else print(`Left on ${command.address}:`, ...remaining);
    return remaining.length === 0 ? exitCodes.pass : exitCodes.fail;
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
