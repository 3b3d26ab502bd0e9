import { agentIdleBounds } from '../../domain/node/agentIdle';

/**
 * How long an agent keeps running without its console; docs/agent-protocol.md has the table. A network outage
 * of a minute must not end a run, and on a tester a killed console looks the same. A lab stays
 * longer than the audience of its machine, so that viewers can close their sessions with it.
 */
export const idleTimeouts: { readonly audience: string; readonly lab: string; readonly sshTester: string } = {
  audience: '10s',
  lab: '20s',
  get sshTester() {
    return `${idleSeconds}s`;
  },
};

/** The configured time for agents on SSH testers. */
export const agentIdleMs = (): number => idleSeconds * 1000;

let idleSeconds: number = agentIdleBounds.usual;

/** The configured time for agents on SSH testers; applies to those started from now on. */
export function setAgentIdleTimeout(seconds: number): void {
  idleSeconds = Math.min(agentIdleBounds.most, Math.max(agentIdleBounds.least, Math.round(seconds)));
}
