import { agentIdleBounds } from '../../domain/agentIdle';

/**
 * How long an agent plays on without its console; docs/agent-protocol.md has the table for people. A network that
 * is cut for a minute must not end a run, and from a tester a console that was killed looks the same. A lab stays
 * longer than the audience of its machine, so that viewers end their sessions with it properly.
 */
export const aloneFor: { readonly audience: string; readonly lab: string; readonly sshTester: string } = {
  audience: '10s',
  lab: '20s',
  get sshTester() {
    return `${idleSeconds}s`;
  },
};

let idleSeconds: number = agentIdleBounds.usual;

/** A person's own time for agents on SSH testers; holds for those that start from now on. */
export function setAgentIdle(seconds: number): void {
  idleSeconds = Math.min(agentIdleBounds.most, Math.max(agentIdleBounds.least, Math.round(seconds)));
}
