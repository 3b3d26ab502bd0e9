import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { agentIdleBounds } from '../../domain/agentIdle';
import { aloneFor } from './aloneFor';

it('is what the documents say, for each kind of agent', () => {
  const protocol = readFileSync('docs/agent-protocol.md', 'utf8');
  const bound = (agent: string): string | undefined =>
    new RegExp(`^\\| ${agent} *\\| (\\d+) s`, 'm').exec(protocol)?.[1];
  expect(bound("audience of the console's own machine")).toBe(aloneFor.audience.replace('s', ''));
  expect(bound("lab of the console's own machine")).toBe(aloneFor.lab.replace('s', ''));
  // By default the usual idle time; the documents give its bounds too.
  const { least, most, usual } = agentIdleBounds;
  expect(aloneFor.sshTester).toBe(`${usual}s`);
  const setting = `the idle time of Settings (${least} to ${most} s, default ${usual} s)`;
  expect(protocol).toContain(`| audience on a tester reached by SSH | ${setting}, then`);
  const architecture = readFileSync('docs/architecture.md', 'utf8').replace(/\s+/g, ' ');
  expect(architecture).toContain(
    `after ${aloneFor.audience.replace('s', '')} s on this machine, after ${setting} on a tester reached by SSH`,
  );
});
