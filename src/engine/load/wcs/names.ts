import { randomBytes } from 'node:crypto';

/** Local names of all pulls that this console makes begin so: by that they are known on the tester, also after a crash. */
export const namePrefix = 'fullhouse';

const ours = new RegExp(`^${namePrefix}-([0-9a-f]{8})-(\\d+)-(\\d+)$`);

/** Who made a pull, as its local name tells. */
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

/** Undefined for names that no console of ours made. */
export function readPullName(name: string | undefined): PullName | undefined {
  const found = ours.exec(name ?? '');
  const [, instance, job, viewer] = found ?? [];
  if (!instance || !job || !viewer) return undefined;
  return { instance, job: Number(job), viewer: Number(viewer) };
}
