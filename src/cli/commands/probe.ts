import type { NodeSettings } from '../../domain/model/nodeSettings';
import type { ProbePlay, ProbeRow } from '../../domain/model/probe';
import { protocolNames } from '../../domain/model/protocols';
import { nodesToYaml } from '../../domain/plan/planYaml';
import { command, form } from '../command';
import { withCommandEngine } from '../commandEngine';
import { exitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import { nodeChoices, nodeOptions, selfSigned, user } from '../options';
import { print, printDocument } from '../print';
import { passwordVariable } from '../probePassword';
import { probed, type ProbeInput } from '../probed';

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

const signs: Readonly<Record<ProbeRow['state'], string>> = {
  found: '+',
  absent: '-',
  failed: '!',
  probing: '?',
};

/** Probes an address and prints the findings, with the lines for a plan. */
async function probeAddress(input: ProbeInput, installation: Installation): Promise<number> {
  return withCommandEngine(installation, { acceptHostKeys: input.acceptHostKeys }, async (engine) => {
    const view = await probed(engine, input, true);
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
    if (view.needs.length > 0) {
      const needed = view.needs.map(({ sentence }) => sentence).join(', ');
      print('', `It needs a login: ${needed}. Add --user U and set ${passwordVariable}.`);
    }
    for (const play of view.plays ?? []) print(playLine(play));
    const settings: NodeSettings | undefined = view.origins[0]?.settings ?? view.tester;
    if (!settings) return exitCodes.notStarted;
    const name = view.suggestedName;
    const played = (view.plays ?? []).filter(({ failed }) => failed === undefined);
    print('', played.length > 0 ? 'As a plan:' : 'In a plan:');
    if (played.length > 0) printDocument(`name: ${JSON.stringify(`Pull from ${name}`)}\n`);
    printDocument(
      nodesToYaml({ [name]: settings, ...(played.length > 0 ? { [testerName]: { tester: 'local' } } : {}) }),
    );
    if (played.length > 0) printDocument(pullLines(name, played));
    return exitCodes.pass;
  });
}

const playLine = ({ protocol, firstFrameMs, failed }: ProbePlay): string => {
  const label = protocolNames[protocol].padEnd(14);
  if (failed !== undefined) return `! ${label} ${failed}`;
  return `+ ${label} played for 1 s, first frame after ${firstFrameMs ?? 0} ms`;
};

const testerName = 'local-1';

/** One audience of each protocol that was played. */
const pullLines = (from: string, played: readonly ProbePlay[]): string =>
  `pull:\n${played
    .map(
      ({ protocol, stream }) =>
        `  - { from: ${from}, stream: ${JSON.stringify(stream)}, by: [${testerName}], protocol: ${protocol}, viewers: 10, rate: 5/s, hold: 30s }\n`,
    )
    .join('')}`;
