import { addressParts, type FamilyFile } from './familyFile';

/**
 * What a family file adds to the address of its node: other ports of its host, and requests that are not plain reads. For
 * the person who has to allow a plan with such a file; empty where it only reads at the node's own address.
 */
export function reachBeside(rules: FamilyFile, hasUrl: boolean): readonly string[] {
  const ports = Object.keys(rules.ports)
    .slice(hasUrl ? 1 : 0)
    .map((part) => `port ${rules.ports[part]} (${part})`);
  const { login } = rules;
  const bodies = [
    ...Object.values(rules.requests).flatMap(({ get, json }) => (json === undefined ? [] : [get])),
    ...(typeof login === 'object' && 'post' in login ? [login.post] : []),
  ];
  const posted = bodies.map(addressParts).map(({ part, path }) => `POST ${path || '/'} on port ${rules.ports[part]}`);
  return [...ports, ...posted];
}
