import type { Audience, Plan } from '../model/plan';
import { optionNames, optionRows, type AudienceOptions, type OptionName, type OrderedOption } from '../model/options';
import { protocolNames, type PullProtocol } from '../model/protocols';

/** Whether viewers of the protocol know an option. */
export const supports = (name: OptionName, protocol: PullProtocol | undefined): boolean => {
  const { protocols } = optionRows[name];
  return protocols === undefined || (protocol !== undefined && protocols.includes(protocol));
};

/** Whether a value of an option differs from its absence. */
export function isUsed<Name extends OptionName>(name: Name, value: Audience[Name]): boolean {
  const { value: kind } = optionRows[name];
  return value !== undefined && value !== false && !(kind.is === 'choice' && kind.of[0] === value);
}

/** The options of an audience that differ from their absence. */
export const usedOptions = (pull: Partial<Audience>): readonly OptionName[] =>
  optionNames.filter((name) => isUsed(name, pull[name]));

/** The options that agents receive as they are, where they are used and the protocol knows them. */
export const orderedOptions = (
  pull: Pick<Audience, 'protocol'> & Pick<AudienceOptions, OrderedOption>,
): Pick<AudienceOptions, OrderedOption> =>
  Object.fromEntries(
    usedOptions(pull)
      .filter((name) => optionRows[name].order && supports(name, pull.protocol))
      .map((name) => [name, pull[name as OrderedOption]]),
  );

/** An option that an audience can't have, and why in one sentence. */
export interface OptionFault {
  readonly field: OptionName;
  readonly sentence: string;
}

/** The options of an audience that viewers of its protocol do not know. */
export const protocolFaults = (pull: Omit<Audience, 'by' | 'viewers' | 'ratePerSecond' | 'holdMs'>): OptionFault[] =>
  usedOptions(pull)
    .filter((field) => !supports(field, pull.protocol) && optionRows[field].otherProtocol !== 'ignored')
    .map((field) => ({ field, sentence: protocolSentence(field, pull.protocol) }));

function protocolSentence(name: OptionName, protocol: PullProtocol): string {
  const { protocols = [], otherProtocol } = optionRows[name];
  if (typeof otherProtocol === 'function') return otherProtocol(protocol);
  const [verb, names] = [protocols.length > 1 ? 'have' : 'has', protocols.map((protocol) => protocolNames[protocol])];
  return `Only ${names.join(' and ')} ${verb} "${name}", ${protocol} does not. Remove it.`;
}

/** What an audience requests that one of its testers can't do, with the fix. */
export function testerFault(pull: Partial<Audience>, nodes: Plan['nodes']): OptionFault | undefined {
  const wcs = pull.by?.find((name) => {
    const node = nodes[name];
    return node && 'tester' in node && node.tester === 'wcs';
  });
  if (wcs === undefined) return undefined;
  const [fault] = usedOptions(pull).flatMap((field): OptionFault[] => {
    const why = optionRows[field].withoutAgent?.(wcs);
    return why === undefined ? [] : [{ field, sentence: `${why} Use testers with an agent, or remove ${field}.` }];
  });
  return fault;
}
