import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { aloneFor } from './aloneFor';

it('is what the documents say, for each kind of agent', () => {
  const protocol = readFileSync('docs/agent-protocol.md', 'utf8');
  const bound = (agent: string): string | undefined =>
    new RegExp(`^\\| ${agent} *\\| (\\d+) s`, 'm').exec(protocol)?.[1];
  expect(bound("audience of the console's own machine")).toBe(aloneFor.audience.replace('s', ''));
  expect(bound("lab of the console's own machine")).toBe(aloneFor.lab.replace('s', ''));
  expect(bound('audience on a tester reached by SSH')).toBe(aloneFor.sshTester.replace('s', ''));
  const architecture = readFileSync('docs/architecture.md', 'utf8');
  expect(architecture).toMatch(
    new RegExp(
      `after ${aloneFor.audience.replace('s', '')} s on this\\s+machine, after ${aloneFor.sshTester.replace('s', '')} s on a tester reached by SSH`,
    ),
  );
});
