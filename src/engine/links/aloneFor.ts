/**
 * How long an agent plays on without its console; docs/agent-protocol.md has the table for people. A network that
 * is cut for a minute must not end a run, and from a tester a console that was killed looks the same. A lab stays
 * longer than the audience of its machine, so that viewers end their sessions with it properly.
 */
export const aloneFor = { audience: '10s', lab: '20s', sshTester: '120s' } as const;
