import type { NodeSettings } from '../../domain/model/nodeSettings';
import type { ProbeRow, ProbeView } from '../../domain/model/probe';
import { nodesToYaml } from '../../domain/plan/planYaml';
import type { Engine } from '../../engine';
import { command, form } from '../command';
import { withCommandEngine } from '../commandEngine';
import { exitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import { nodeChoices, nodeOptions, selfSigned, user, type NodeChoices } from '../options';
import { variableOf } from '../../domain/secrets/secretVariable';
import { print, printDocument } from '../print';

export const probe = command({
  name: 'probe',
  operand: 'text',
  options: { ...nodeOptions, user, 'self-signed': selfSigned },
  forms: [form('ADDRESS [--key FILE] [--jump HOST] [--user U]', 'probe a host or URL for known endpoints')],
  examples: ['probe qa@10.0.0.9 --key ~/.ssh/id_ed25519', 'probe http://10.0.0.9:8081'],
  exitCodes: { notStarted: 'nothing known was found, or invalid arguments' },
  read: ({ operand, values }) => ({
    address: operand('ADDRESS'),
    ...nodeChoices(values),
    user: values.user,
    selfSigned: values['self-signed'],
  }),
  run: probeAddress,
});

interface ProbeInput extends NodeChoices {
  readonly address: string;
  readonly user: string | undefined;
  readonly selfSigned: boolean;
}

const signs: Readonly<Record<ProbeRow['state'], string>> = {
  found: '+',
  absent: '-',
  failed: '!',
  probing: '?',
};

/** Probes an address and prints the findings, with the lines for a plan. */
async function probeAddress(input: ProbeInput, installation: Installation): Promise<number> {
  return withCommandEngine(installation, { acceptHostKeys: input.acceptHostKeys }, async (engine) => {
    const view = await probed(engine, input);
    for (const row of view.rows) {
      const took = row.tookMs === undefined ? '' : `  ${Math.round(row.tookMs)} ms`;
      const text = [row.found, row.detail].filter(Boolean).join(' · ');
      print(`${signs[row.state]} ${row.label.padEnd(14)} ${text}${took}`);
    }
    if (view.hostKey)
      print(
        '',
        `To trust the key of ${view.hostKey.host}, compare its fingerprint and add: --accept-host-key ${view.hostKey.fingerprint}`,
      );
    for (const { sentence } of view.needs)
      print('', `It needs a login: ${sentence}. Add --user U and set ${variableOf('probe', 'httpPassword')}.`);
    const settings: NodeSettings | undefined = view.origins[0]?.settings ?? view.tester;
    if (!settings) return exitCodes.notStarted;
    print('', 'In a plan:');
    printDocument(nodesToYaml({ [view.suggestedName]: settings }));
    return exitCodes.pass;
  });
}

function probed(
  engine: Engine,
  { address, keyFile, jump, user: name, selfSigned: accepts }: ProbeInput,
): Promise<ProbeView> {
  const password = process.env[variableOf('probe', 'httpPassword')];
  return new Promise((resolve, reject) => {
    engine.client.on('probe', (view) => {
      if (view.isDone) resolve(view);
    });
    engine.client
      .call('nodes.probe', {
        ...{ probe: 'cli', address, keyFile, jump },
        ...(name === undefined ? {} : { user: name }),
        ...(accepts ? { selfSigned: true } : {}),
        secrets: password === undefined ? {} : { httpPassword: password },
      })
      .catch(reject);
  });
}
