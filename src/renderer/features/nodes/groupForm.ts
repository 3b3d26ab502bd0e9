import { hostFault } from '../../../domain/node/inventory';
import type { TesterSettings } from '../../../domain/model/nodeSettings';
import { nameProblem, type Addition } from './addForm';

/** Several hosts, as typed in place of one address. */
export interface TypedHosts {
  readonly hosts: readonly string[];
  /** Why they can't be added, one sentence. */
  readonly problem?: string;
}

/** What makes the hosts a group, as typed. */
export interface GroupForm {
  readonly name?: string;
  /** Empty: all of them. */
  readonly atLeast: string;
  readonly isMeasured: boolean;
}

export const emptyGroupForm: GroupForm = { atLeast: '', isMeasured: false };

/** Hosts separated by commas or lines; undefined for a single address. */
export function typedHosts(text: string): TypedHosts | undefined {
  const hosts = text
    .split(/[,;\n]/)
    .map((host) => host.trim())
    .filter((host) => host !== '');
  if (hosts.length < 2) return undefined;
  const twice = hosts.find((host, place) => hosts.indexOf(host) !== place);
  const problem =
    hosts.map(hostFault).find((fault) => fault !== undefined) ??
    (twice === undefined ? undefined : `${twice} is listed twice.`);
  return { hosts, ...(problem === undefined ? {} : { problem }) };
}

/** One line of text for a field of one line: pasted lines become a list with commas. */
export function linesAsList(pasted: string): string {
  return pasted
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(', ');
}

/** The first free one of load, load-2, load-3. */
export function suggestedGroupName(taken: readonly string[]): string {
  for (let i = 1; ; i += 1) {
    const name = i === 1 ? 'load' : `load-${i}`;
    if (!taken.includes(name)) return name;
  }
}

/** Why the number of members can't be used, one sentence. */
export function atLeastProblem({ atLeast }: GroupForm, size: number): string | undefined {
  const text = atLeast.trim();
  if (text === '' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= size)) return undefined;
  return `Enter a number from 1 to ${size}, or nothing for all.`;
}

/** What `Add` would add: a tester group. */
export function groupAddition(
  form: GroupForm,
  { hosts, problem: hostProblem }: TypedHosts,
  reach: Pick<TesterSettings, 'user' | 'keyFile' | 'jump'>,
  taken: readonly string[],
): Addition {
  const name = (form.name ?? suggestedGroupName(taken)).trim();
  const problem = nameProblem(name, taken);
  if (problem !== undefined || hostProblem !== undefined || atLeastProblem(form, hosts.length) !== undefined)
    return { nodes: [], role: 'tester', name, ...(problem === undefined ? {} : { problem }) };
  const filled = Object.fromEntries(
    (['user', 'keyFile', 'jump'] as const)
      .map((key): [string, string] => [key, reach[key]?.trim() ?? ''])
      .filter(([, value]) => value !== ''),
  );
  const settings: TesterSettings = {
    tester: 'ssh',
    hosts,
    ...filled,
    ...(form.atLeast.trim() === '' ? {} : { atLeast: Number(form.atLeast) }),
    ...(form.isMeasured ? { weights: 'measured' } : {}),
  };
  return { nodes: [{ name, settings, secrets: {} }], role: 'tester', name };
}
