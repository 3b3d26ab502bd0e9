import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, extname, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { audiencesOf } from '../../domain/model/distribution';
import { isOriginSettings, type NodeSettings } from '../../domain/model/nodeSettings';
import { isFamilyName } from '../../domain/model/serverFamilies';
import { type Audience, externalSource, type Plan, type PlanPublish, sampleSource } from '../../domain/model/plan';
import { pushedStream } from '../../domain/plan/pushedStream';
import { isRtspSource } from '../../domain/plan/rtspSource';
import { referencesIn } from '../../domain/secrets/references';
import { readTextFile } from '../base/readTextFile';
import { hostsOf } from '../fleet/group/inventoryHosts';
import { expanded } from '../base/expandedPath';
import { readFamilyFile } from '../servers/fromFile/readFamily';
import { reasonNotRead } from '../store/failure';
import { maxListBytes, tokensIn, tooFewTokens } from './audienceTokens';
import type { PlanProblem } from './planCheck';
import { variable } from '../base/variables';

/** Files and programs of this machine that a plan names and that can't be used. No program is started. */
export function fileProblems(plan: Plan): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const take = (path: string, sentence: string | undefined): void => {
    if (sentence !== undefined) problems.push({ path, sentence });
  };
  for (const [name, settings] of Object.entries(plan.nodes)) {
    take(`nodes.${name}.keyFile`, fileFault('The key', settings.keyFile));
    if (!isOriginSettings(settings)) take(`nodes.${name}.kubeconfig`, fileFault('The kubeconfig', settings.kubeconfig));
    take(`nodes.${name}.inventory`, inventoryFault(settings));
    take(`nodes.${name}.familyFile`, familyFault(settings));
  }
  plan.publish.forEach((publish, index) => {
    if (!isPublishedHere(plan, publish)) return;
    if (isFile(publish.source)) take(`publish.${index}.source`, mediaFileFault(publish.source));
    publish.simulcast?.forEach((file, layer) =>
      take(`publish.${index}.simulcast.${layer}`, isFile(file) ? mediaFileFault(file) : undefined),
    );
  });
  audiencesOf(plan).forEach((pull, place) => {
    const { tokens, rooms } = pull;
    const path = place === 0 ? 'pull' : `also.${place - 1}`;
    if (rooms && isFile(rooms.source) && pull.by.every((name) => isHere(plan, name)))
      take(`${path}.rooms.source`, mediaFileFault(rooms.source));
    take(`${path}.tokens.file`, fileFault('The list of tokens', tokens?.file) ?? fewTokens(pull));
    take(`${path}.tokens.command`, programFault('The command of the tokens', tokens?.command?.[0]));
  });
  plan.hooks?.forEach((hook, index) =>
    take(`hooks.${index}.run`, 'run' in hook ? programFault(`The hook at ${hook.at}`, hook.run[0]) : undefined),
  );
  return problems;
}

/** Whether a program of this machine publishes it; elsewhere a file may exist there only. */
const isPublishedHere = (plan: Plan, { by = plan.pull?.by[0] ?? '' }: PlanPublish): boolean => isHere(plan, by);

function isHere({ nodes }: Plan, name: string): boolean {
  const settings = nodes[name];
  return settings !== undefined && 'tester' in settings && settings.tester === 'local';
}

const isFile = (source: string): boolean =>
  source !== sampleSource && source !== externalSource && pushedStream(source) === undefined && !isRtspSource(source);

const mediaFileFault = (file: string): string | undefined =>
  fileFault('The media file', file) ?? (referencesIn(file).length > 0 ? undefined : mediaFault(expanded(file), file));

/** A search may end before it needs a token for each viewer. */
function fewTokens({ tokens, viewers, search }: Audience): string | undefined {
  const { file } = tokens ?? {};
  if (file === undefined || search || referencesIn(file).length > 0) return undefined;
  try {
    return tooFewTokens(tokensIn(readTextFile(expanded(file), maxListBytes)).length, viewers, file);
  } catch (error) {
    return `The list of tokens ${file} can't be read: ${reasonNotRead(error)}. Correct its path.`;
  }
}

/** A family of this console is looked up when the plan starts. */
function familyFault(settings: NodeSettings): string | undefined {
  if (!isOriginSettings(settings) || settings.server !== 'file') return undefined;
  const { familyFile } = settings;
  if (familyFile === undefined) return 'A server of the kind "file" needs familyFile: the file that describes it.';
  if (isFamilyName(familyFile) || referencesIn(familyFile).length > 0) return undefined;
  try {
    readFamilyFile(familyFile);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function fileFault(what: string, file: string | undefined): string | undefined {
  if (file === undefined || referencesIn(file).length > 0) return undefined;
  const path = expanded(file);
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return `${what} ${file} is not a file. Correct its path.`;
    if (stat.size === 0) return `${what} ${file} is empty. Correct its path.`;
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return `${what} ${file} does not exist. Correct its path.`;
    return `${what} ${file} can't be read: ${reasonNotRead(error)}. Correct its path.`;
  }
}

function inventoryFault(settings: NodeSettings): string | undefined {
  if (isOriginSettings(settings) || settings.inventory === undefined) return undefined;
  if (referencesIn(settings.inventory).length > 0) return undefined;
  try {
    return hostsOf(settings).length > 0 ? undefined : `Inventory ${settings.inventory} lists no host.`;
  } catch (error) {
    if (error instanceof FullhouseError) return error.message;
    throw error;
  }
}

function programFault(what: string, program: string | undefined): string | undefined {
  if (program === undefined || referencesIn(program).length > 0) return undefined;
  const isPath = program.includes('/') || program.includes('\\');
  const folders = isPath ? [''] : (variable('PATH') ?? '').split(delimiter);
  const endings = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  const isFound = folders.some((folder) => endings.some((ending) => isProgram(join(folder, program + ending))));
  return isFound
    ? undefined
    : `${what}, ${program}, ${isPath ? 'is not a program of this machine' : 'is in no folder of PATH'}. Correct its name.`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** How files begin, as text of single bytes; undefined: in several ways. */
const starts: Readonly<Record<string, RegExp | undefined>> = {
  // The type of the first box.
  ...Object.fromEntries(
    ['.mp4', '.mov', '.m4v'].map((extension) => [extension, /^.{4}(ftyp|moov|mdat|wide|free|skip|pnot)/s]),
  ),
  // oxlint-disable-next-line no-control-regex -- bytes, not characters
  ...Object.fromEntries(['.h264', '.h265'].map((extension) => [extension, /^\0{2,3}\x01/])),
  // oxlint-disable-next-line no-control-regex -- as above
  ...Object.fromEntries(['.mkv', '.webm'].map((extension) => [extension, /^\x1a\x45\xdf\xa3/])),
  '.ivf': /^DKIF/,
  '.flv': /^FLV/,
  '.avi': /^RIFF/,
  '.ts': undefined,
  '.m2ts': undefined,
};

/** Why a file can't be published as far as its name and its first bytes show it; undefined if they don't. */
function mediaFault(path: string, name: string): string | undefined {
  const extension = extname(path);
  if (!(extension in starts))
    return `The media file ${name} has to end in ${Object.keys(starts).join(', ')}. Name such a file.`;
  try {
    const start = starts[extension];
    return start === undefined || start.test(firstBytes(path))
      ? undefined
      : `The media file ${name} is not one of ${extension}: its first bytes are others. Name such a file.`;
  } catch (error) {
    return `The media file ${name} can't be read: ${reasonNotRead(error)}. Correct its path.`;
  }
}

function firstBytes(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(16);
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}
