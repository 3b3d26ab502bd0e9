import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkFamily, type FamilyFile } from '../../domain/family/familyFile';
import type { OriginSettings } from '../../domain/model/nodeSettings';
import {
  builtInFamilyNames,
  isBuiltInFamily,
  isFamilyName,
  type BuiltInFamily,
  serverFamilies,
} from '../../domain/model/serverFamilies';
import { suggestion } from '../../domain/text/closestMatch';
import { FullhouseError } from '../../contract/calls';
import { log } from '../base/log';
import type { ServerFamilyModule } from './adapter';
import { builtInFamilies } from './builtInFamilies.gen';
import { familyFromFile } from './fromFile';
import { readFamilyFile } from './fromFile/readFamily';
import { genericFamily } from './generic';
import { livekitFamily } from './livekit';
import { nginxRtmpFamily } from './nginxRtmp';
import { openviduFamily } from './openvidu';
import { srsFamily } from './srs';
import { wcsFamily } from './wcs';

/** Families with an adapter of their own; the lab is our own agent and is opened separately. */
const adapters: readonly ServerFamilyModule[] = [
  wcsFamily,
  srsFamily,
  nginxRtmpFamily,
  livekitFamily,
  openviduFamily,
  genericFamily,
];

const read = new Map<BuiltInFamily, FamilyFile>();

/** The rules of a built-in family; a test reads all of them. */
export function builtInRules(family: BuiltInFamily): FamilyFile {
  const known = read.get(family);
  if (known) return known;
  const checked = checkFamily(builtInFamilies[family]);
  if ('fault' in checked) throw new FullhouseError('bad-family', `The built-in family ${family}: ${checked.fault}`);
  const rules = { ...checked.rules, family };
  read.set(family, rules);
  return rules;
}

const maxFiles = 200;

/** Names of the families in the user's folder; none without a folder. */
function namesIn(folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  try {
    return readdirSync(folder)
      .filter((file) => /\.ya?ml$/i.test(file))
      .sort()
      .slice(0, maxFiles);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new FullhouseError('no-family', `The families in ${folder} can't be read.`, { cause: error });
  }
}

/** Folders whose fault is in the log. */
const reportedFolders = new Set<string>();

/** As `namesIn`; none in a folder that can't be read, which the log reports once. */
function readableNamesIn(folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  try {
    const names = namesIn(folder);
    reportedFolders.delete(folder);
    return names;
  } catch (error) {
    if (!reportedFolders.has(folder)) log.warn((error as Error).message);
    reportedFolders.add(folder);
    return [];
  }
}

/**
 * The families that a probe looks for: those with an adapter, the built-in files, and those of the user's folder. A
 * folder or a file that can't be used is reported in the log.
 */
export function families(folder?: string): readonly ServerFamilyModule[] {
  const own = readableNamesIn(folder).flatMap((file) => {
    try {
      const rules = readFamilyFile(join(folder ?? '', file));
      return [familyFromFile(rules, { server: 'file', familyFile: rules.family })];
    } catch (error) {
      log.warn((error as Error).message);
      return [];
    }
  });
  return [...own, ...adapters, ...builtInFamilyNames.map((server) => familyFromFile(builtInRules(server), { server }))];
}

/** The family of a node. Throws `no-family` or `bad-family`, one sentence. */
export function familyOf(
  { server, familyFile }: Pick<OriginSettings, 'server' | 'familyFile'>,
  folder?: string,
): ServerFamilyModule {
  if (isBuiltInFamily(server)) return familyFromFile(builtInRules(server), { server });
  if (server === 'file') return familyFromFile(rulesOfFile(familyFile, folder), { server, familyFile });
  const found = adapters.find(({ family }) => family === server);
  if (found) return found;
  throw new FullhouseError(
    'no-family',
    `A server of family "${server}" can't be added; this machine's lab exists already.`,
  );
}

/** The rules of the file, or of the family of this name in the user's folder. */
function rulesOfFile(familyFile: string | undefined, folder?: string): FamilyFile {
  if (familyFile === undefined)
    throw new FullhouseError('no-family', 'A server of the kind "file" needs familyFile: the file that describes it.');
  if (!isFamilyName(familyFile)) return readFamilyFile(familyFile);
  const file = namesIn(folder).find((each) => each.replace(/\.ya?ml$/i, '') === familyFile);
  if (folder !== undefined && file !== undefined) return readFamilyFile(join(folder, file));
  if (serverFamilies.some((known) => known === familyFile))
    throw new FullhouseError('no-family', `The family "${familyFile}" needs no file. Write server: ${familyFile}.`);
  const names = namesIn(folder).map((each) => each.replace(/\.ya?ml$/i, ''));
  throw new FullhouseError(
    'no-family',
    `This console has no family "${familyFile}". ${names.length > 0 ? suggestion(familyFile, names) : 'Add its file in the settings, or write its path.'}`,
  );
}
