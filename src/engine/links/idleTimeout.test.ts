import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { agentIdleBounds } from '../../domain/node/agentIdle';
import { idleTimeouts } from './idleTimeout';

it('matches the documentation for each kind of agent', () => {
  const protocol = readFileSync('docs/agent-protocol.md', 'utf8');
  const bound = (agent: string): string | undefined =>
    new RegExp(`^\\| ${agent} *\\| (\\d+) s`, 'm').exec(protocol)?.[1];
  expect(bound("audience of the console's own machine")).toBe(idleTimeouts.audience.replace('s', ''));
  expect(bound("lab of the console's own machine")).toBe(idleTimeouts.lab.replace('s', ''));
  // The default is the usual idle time; the documentation has its bounds too.
  const { least, most, usual } = agentIdleBounds;
  expect(idleTimeouts.sshTester).toBe(`${usual}s`);
  const setting = `the idle time of Settings (${least} to ${most} s, default ${usual} s)`;
  expect(protocol).toContain(`| audience on a tester reached by SSH | ${setting}, then`);
  const architecture = readFileSync('docs/architecture.md', 'utf8').replace(/\s+/g, ' ');
  expect(architecture).toContain(
    `after ${idleTimeouts.audience.replace('s', '')} s on this machine, after ${setting} on a tester reached by SSH`,
  );
});
