import { partOf, type FamilyFile } from './familyFile';

/**
 * What a family file adds to the address of its node: other ports of its host, and requests that are not plain reads. For
 * the person who has to allow a plan with such a file; empty where it only reads at the node's own address.
 */
export function reachBeside(rules: FamilyFile, hasUrl: boolean): readonly string[] {
  const [first = '', ...others] = Object.keys(rules.ports);
  const ports = (hasUrl ? others : [first, ...others]).map((part) => `port ${rules.ports[part]} (${part})`);
  const { login } = rules;
  const bodies = [
    ...Object.values(rules.requests).flatMap(({ get, json }) => (json === undefined ? [] : [get])),
    ...(typeof login === 'object' && 'post' in login ? [login.post] : []),
  ];
  const posted = bodies.map((address) => `POST ${pathOf(address)} on port ${rules.ports[partOf(address) ?? first]}`);
  return [...ports, ...posted];
}

const pathOf = (address: string): string => address.slice(address.indexOf('}') + 1) || '/';
