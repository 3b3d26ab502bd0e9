import { randomBytes } from 'node:crypto';

/** Prefix of the local names of all pulls of this console: identifies them on the tester, also after a crash. */
const namePrefix = 'fullhouse';

const ours = new RegExp(`^${namePrefix}-([0-9a-f]{8})-(\\d+)-(\\d+)$`);

/** The creator of a pull, from its local name. */
export interface PullName {
  /** One start of one console. */
  readonly instance: string;
  readonly job: number;
  readonly viewer: number;
}

export function newInstance(): string {
  return randomBytes(4).toString('hex');
}

export function pullName({ instance, job, viewer }: PullName): string {
  return `${namePrefix}-${instance}-${job}-${viewer}`;
}

/** Undefined for names that are not from our consoles. */
export function readPullName(name: string | undefined): PullName | undefined {
  const match = ours.exec(name ?? '');
  const [, instance, job, viewer] = match ?? [];
  if (!instance || !job || !viewer) return undefined;
  return { instance, job: Number(job), viewer: Number(viewer) };
}
