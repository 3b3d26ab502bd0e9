/**
 * How long the agent on an SSH tester plays on without its console, seconds. Below the least a cut of the network would end
 * a run; at the most the agent ends by itself in any case.
 */
export const agentIdleBounds = { least: 30, most: 900, usual: 120 } as const;
