import { exampleNodesFault } from '../../domain/node/exampleAddress';
import { addressFaults } from '../../domain/node/addressFault';
import { urlKeys } from '../../domain/model/addressKeys';
import { turnAddress } from '../../domain/model/turn';
import { isOriginSettings, type NodeSettings } from '../../domain/model/nodeSettings';
import { imageFault } from '../../domain/plan/fields/kubernetes';
import { settingsFault } from '../../domain/plan/fields/nodes';
import { nodeNameFault } from '../../domain/plan/planNames';
import { masked } from '../../domain/redaction/patterns';
import { withReferences } from '../../domain/secrets/references';
import { FullhouseError } from '../../contract/calls';
import { requireReal } from '../base/realAddress';
import { maskedSentence } from '../secrets/resolve';

const addresses = ['url', ...urlKeys, 'ws', 'metrics', 'control'] as const;

/**
 * Throws one sentence for settings that are unusable for a node, or that the fleet's file would refuse at the next
 * start.
 */
export function requireUsable(name: string, settings: NodeSettings): void {
  const wrong = (why: string): FullhouseError => new FullhouseError('bad-settings', `${name}: ${why}`);
  const fault =
    nodeNameFault(name) ?? settingsFault(settings) ?? (isOriginSettings(settings) ? undefined : imageFault(settings));
  if (fault !== undefined) throw wrong(fault);
  requireReal(exampleNodesFault({ [name]: settings }));
  for (const [key, text] of Object.entries(settings))
    if (typeof text === 'string' && text.includes(masked)) throw wrong(maskedSentence(key));
  const { nodeExporter, prometheus } = settings;
  const turn = isOriginSettings(settings) ? settings.turn : undefined;
  if (turn !== undefined && !turnAddress(withReferences(turn, () => '1')))
    throw wrong(
      `"${turn}" is not a TURN address; expected turn:HOST:PORT, turn:HOST:PORT?transport=tcp or turns:HOST:PORT.`,
    );
  const own = isOriginSettings(settings) ? addresses.map((key) => settings[key]) : [settings.url];
  for (const address of [...own, nodeExporter, prometheus]) {
    if (address === undefined || isUrl(address)) continue;
    if (/^[a-z][a-z\d+.-]*:\/\//i.test(address))
      throw wrong(addressFaults(settings)[0]?.sentence ?? noAddress(address));
    throw wrong(`"${address}" is not a complete address; include the scheme, as in http://HOST:PORT.`);
  }
}

const noAddress = (address: string): string => `"${address}" is not an address; expected http://HOST:PORT.`;

function isUrl(address: string): boolean {
  try {
    const filled = withReferences(address, () => '1').replaceAll('{stream}', 'x');
    return new URL(filled).hostname !== '';
  } catch {
    return false;
  }
}
