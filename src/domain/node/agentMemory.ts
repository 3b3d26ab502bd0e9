/**
 * Bounds of the memory that an agent may use, in MB. Without a setting it is 85 % of the limit of the agent's control
 * group, or 75 % of the machine's memory (agent/internal/tester).
 */
export const agentMemoryBounds = { least: 64, most: 1_048_576 } as const;
