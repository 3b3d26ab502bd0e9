import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { audiencesOf } from '../../domain/model/distribution';
import { isOriginSettings, type NodeSettings } from '../../domain/model/nodeSettings';
import { externalSource, sampleSource, type Plan, type PlanPublish } from '../../domain/model/plan';
import { pushedStream } from '../../domain/plan/pushedStream';
import { isRtspSource } from '../../domain/plan/rtspSource';
import { referencesIn } from '../../domain/secrets/references';
import { hostsOf } from '../fleet/group/inventoryHosts';
import { expanded } from '../kubernetes/kubeconfigFile';
import { reasonOf } from '../store/failure';
import type { PlanProblem } from './planCheck';

/** Files and programs of this machine that a plan names and that can't be used. Nothing of them is read or started. */
export function fileProblems(plan: Plan): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const take = (path: string, sentence: string | undefined): void => {
    if (sentence !== undefined) problems.push({ path, sentence });
  };
  for (const [name, settings] of Object.entries(plan.nodes)) {
    const { keyFile, kubeconfig = undefined } = isOriginSettings(settings) ? { keyFile: settings.keyFile } : settings;
    take(`nodes.${name}.keyFile`, fileFault('The key', keyFile));
    take(`nodes.${name}.kubeconfig`, fileFault('The kubeconfig', kubeconfig));
    take(`nodes.${name}.inventory`, inventoryFault(settings));
  }
  plan.publish.forEach((publish, index) => {
    if (!isFileHere(plan, publish)) return;
    take(`publish.${index}.source`, fileFault('The media file', publish.source));
    publish.simulcast?.forEach((file, layer) =>
      take(`publish.${index}.simulcast.${layer}`, fileFault('The media file', file)),
    );
  });
  audiencesOf(plan).forEach(({ tokens }, place) => {
    const path = place === 0 ? 'pull' : `also.${place - 1}`;
    take(`${path}.tokens.file`, fileFault('The list of tokens', tokens?.file));
    take(`${path}.tokens.command`, programFault('The command of the tokens', tokens?.command?.[0]));
  });
  plan.hooks?.forEach((hook, index) =>
    take(`hooks.${index}.run`, 'run' in hook ? programFault(`The hook at ${hook.at}`, hook.run[0]) : undefined),
  );
  return problems;
}

/** Whether the source is a file that is published by a program of this machine; elsewhere it may exist there only. */
function isFileHere({ nodes, pull }: Plan, { source, by = pull.by[0] ?? '' }: PlanPublish): boolean {
  const settings = nodes[by];
  const isHere = settings !== undefined && 'tester' in settings && settings.tester === 'local';
  const isFile = source !== sampleSource && source !== externalSource;
  return isHere && isFile && pushedStream(source) === undefined && !isRtspSource(source);
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
    return `${what} ${file} can't be read: ${reasonOf(error)}. Correct its path.`;
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
  const folders = isPath ? [''] : (process.env['PATH'] ?? '').split(delimiter);
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
