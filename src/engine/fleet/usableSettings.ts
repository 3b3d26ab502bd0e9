import { isOriginSettings, type NodeSettings } from '../../domain/nodeSettings';
import { nodesToYaml, parseNodes, PlanError } from '../../domain/plan/planYaml';
import { masked } from '../../domain/redaction/patterns';
import { withReferences } from '../../domain/secrets/references';
import { FullhouseError } from '../../contract/calls';
import { maskedSentence } from '../secrets/resolve';

const addresses = ['url', 'whep', 'whip', 'rtmp', 'hls', 'flv', 'ws', 'metrics', 'control'] as const;

/** Throws one sentence for settings that a node can't be made of, or that the fleet's file would refuse at the next start. */
export function requireUsable(name: string, settings: NodeSettings): void {
  const wrong = (why: string): FullhouseError => new FullhouseError('bad-settings', `${name}: ${why}`);
  try {
    parseNodes(nodesToYaml({ [name]: settings }));
  } catch (error) {
    throw error instanceof PlanError ? wrong(error.sentence) : error;
  }
  for (const [key, text] of Object.entries(settings))
    if (typeof text === 'string' && text.includes(masked)) throw wrong(maskedSentence(key));
  const { nodeExporter, prometheus } = settings;
  const own = isOriginSettings(settings) ? addresses.map((key) => settings[key]) : [settings.url];
  for (const address of [...own, nodeExporter, prometheus])
    if (address !== undefined && !isUrl(address))
      throw wrong(`"${address}" is no whole address; write it with its scheme, as in http://HOST:PORT.`);
}

function isUrl(address: string): boolean {
  try {
    const filled = withReferences(address, () => '1').replaceAll('{stream}', 'x');
    return new URL(filled).hostname !== '';
  } catch {
    return false;
  }
}
