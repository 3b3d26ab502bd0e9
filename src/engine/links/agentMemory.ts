let memoryMb: number | undefined;

/** The configured memory of agents, as arguments of those started from now on. */
export const agentMemoryArguments = (): string[] =>
  memoryMb === undefined ? [] : ['--memory-limit', String(memoryMb)];

/** Sets the memory that agents may use, in MB; undefined: what is usual for their machine. */
export function setAgentMemory(mb: number | undefined): void {
  memoryMb = mb;
}
