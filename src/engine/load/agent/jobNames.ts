/** How a console's jobs are called at an agent, which may play for several consoles at once. */
export interface JobNames {
  /** The agent's name of one of our jobs. */
  agents(job: string): string;
  /** Our own name of it; undefined for a job of somebody else. */
  ours(name: string): string | undefined;
}

/** For an agent that nobody but us can call. */
export const plainNames: JobNames = { agents: (job) => job, ours: (name) => name };

/** Every console counts its jobs from 1: the mark of this one tells them apart. */
export function markedNames(mark: string): JobNames {
  const end = `@${mark}`;
  return {
    agents: (job) => `${job}${end}`,
    ours: (name) => (name.endsWith(end) ? name.slice(0, -end.length) : undefined),
  };
}
