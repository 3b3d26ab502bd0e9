import { partOf, type FamilyFile } from './familyFile';

/**
 * What a family file adds to the address of its node: other ports of its host, and requests that are not plain reads. For
 * the person who has to allow a plan with such a file; empty where it only reads at the node's own address.
 */
export function reachBeside(rules: FamilyFile): readonly string[] {
  const [first = '', ...others] = Object.entries(rules.ports).map(([part]) => part);
  const ports = others.map((part) => `port ${rules.ports[part]} (${part})`);
  const posted = Object.values(rules.requests).flatMap(({ get, json }) =>
    json === undefined ? [] : [`POST ${pathOf(get)} on port ${rules.ports[partOf(get) ?? first]}`],
  );
  return [...ports, ...posted];
}

const pathOf = (address: string): string => address.slice(address.indexOf('}') + 1) || '/';
