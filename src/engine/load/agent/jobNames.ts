/** Names of a console's jobs at an agent, which may serve several consoles at once. */
export interface JobNames {
  /** The agent's name of one of our jobs. */
  agents(job: string): string;
  /** Our own name of it; undefined for another console's job. */
  ours(name: string): string | undefined;
}

/** For an agent that only we use. */
export const plainNames: JobNames = { agents: (job) => job, ours: (name) => name };

/** Every console counts its jobs from 1: its mark distinguishes them. */
export function markedNames(mark: string): JobNames {
  const end = `@${mark}`;
  return {
    agents: (job) => `${job}${end}`,
    ours: (name) => (name.endsWith(end) ? name.slice(0, -end.length) : undefined),
  };
}
