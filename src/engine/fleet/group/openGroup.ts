import type { TesterSettings } from '../../../domain/model/nodeSettings';
import { unknownHost } from '../../../domain/model/host';
import { agentIdleMs } from '../../links/idleTimeout';
import type { RemoteNodeOptions } from '../fleetKit';
import type { GroupSource } from './groupSource';
import { SshGroupSource } from './sshGroupSource';
import { TesterGroup } from './testerGroup';

/** What a tester group needs besides its settings. */
export interface GroupOptions extends RemoteNodeOptions {
  readonly agentFolder: string;
  readonly samplesFolder: string;
}

/** Starts the members of a group in another way than its settings say; for tests. */
export type OpenSource = (options: GroupOptions, settings: TesterSettings) => GroupSource;

/** A tester group with the members that its settings name. */
export function openGroup(options: GroupOptions, settings: TesterSettings, openSource?: OpenSource): TesterGroup {
  const common = { ...options, host: unknownHost, atLeast: settings.atLeast };
  if (openSource) return new TesterGroup({ ...common, reach: 'tester group' }, settings, openSource(options, settings));
  const { agentFolder, samplesFolder, versions } = options;
  const version = versions['fullhouse'] ?? 'unknown';
  const source = new SshGroupSource({ ...options, agentFolder, samplesFolder, version, idleMs: agentIdleMs }, settings);
  const { inventory } = settings;
  const reach = inventory === undefined ? `SSH, ${settings.hosts?.length ?? 0} hosts` : `SSH, ${inventory}`;
  return new TesterGroup({ ...common, reach, uninstall: () => source.uninstall() }, settings, source);
}
