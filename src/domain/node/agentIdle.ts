/**
 * How long the agent on an SSH tester keeps running without its console, in seconds. Below the minimum, a network
 * outage would end a run; at the maximum the agent stops in any case.
 */
export const agentIdleBounds = { least: 30, most: 900, usual: 120 } as const;
