import { isOriginSettings, type NodeSettings } from '../../domain/nodeSettings';
import { nodesToYaml, parseNodes, PlanError } from '../../domain/plan/planYaml';
import { FullhouseError } from '../../contract/calls';

const addresses = ['url', 'whep', 'whip', 'rtmp', 'hls', 'flv', 'ws', 'metrics', 'control'] as const;

/** Throws one sentence for settings that a node can't be made of, or that the fleet's file would refuse at the next start. */
export function requireUsable(name: string, settings: NodeSettings): void {
  const wrong = (why: string): FullhouseError => new FullhouseError('bad-settings', `${name}: ${why}`);
  try {
    parseNodes(nodesToYaml({ [name]: settings }));
  } catch (error) {
    throw error instanceof PlanError ? wrong(error.sentence) : error;
  }
  const { nodeExporter, prometheus } = settings;
  const own = isOriginSettings(settings) ? addresses.map((key) => settings[key]) : [settings.url];
  for (const address of [...own, nodeExporter, prometheus])
    if (address !== undefined && !isUrl(address))
      throw wrong(`"${address}" is no whole address; write it with its scheme, as in http://HOST:PORT.`);
}

function isUrl(address: string): boolean {
  try {
    return new URL(address.replaceAll('{stream}', 'x')).hostname !== '';
  } catch {
    return false;
  }
}
