import type { FamilyFile } from '../../../domain/family/familyFile';
import type { OriginSettings } from '../../../domain/model/nodeSettings';
import type { ServerFamilyModule } from '../adapter';
import { detectByFile } from './detect';
import { openFromFile } from './openFromFile';

/** A family that is a file. `settings` are those by which a node names it. */
export const familyFromFile = (
  rules: FamilyFile,
  settings: Pick<OriginSettings, 'server' | 'familyFile'>,
): ServerFamilyModule => ({
  family: settings.server,
  rules,
  look: (target) => detectByFile(rules, target, settings),
  open: (access) => openFromFile(rules, access),
});
