import { FullhouseError } from '../../../contract/calls';
import type { AudienceViewer } from '../../../contract/viewerSchemas';
import type { LoadDriver } from '../../load/driver';
import type { GroupJob } from './groupJob';

type Page = Awaited<ReturnType<LoadDriver['viewers']>>;

/**
 * A page of a job's viewers over all members, numbered throughout. Only members with viewers of this page are asked,
 * unless a state is given, whose number each member has to count. The viewers of an ended member are no longer listed.
 */
export async function groupViewers(
  job: GroupJob,
  driverOf: (member: number) => LoadDriver | undefined,
  { offset, limit, state }: { offset: number; limit: number; state: AudienceViewer['state'] | undefined },
): Promise<Page> {
  const viewers: AudienceViewer[] = [];
  let before = 0;
  for (const [member, part] of job.parts) {
    const driver = driverOf(member);
    if (!driver || part.isLost) continue;
    const from = Math.max(0, offset - before);
    const missing = limit - viewers.length;
    if (state === undefined && (missing <= 0 || from >= part.viewers)) {
      before += part.viewers;
      continue;
    }
    const page = await driver.viewers(job.name, from, Math.max(1, missing), state).catch((error: unknown): Page => {
      // A member that has started again has no viewers of before.
      if (error instanceof FullhouseError && error.code === 'no-job') return { total: 0, viewers: [] };
      throw error;
    });
    before += page.total;
    if (missing > 0)
      viewers.push(...page.viewers.map((viewer) => ({ ...viewer, viewer: viewer.viewer + part.offset })));
  }
  return { total: before, viewers };
}
