import { asSentence } from '../text/sentence';
import type { GroupView } from '../model/node';

const maxReasons = 3;

/** `18 of 20 ready. load-3: connection refused. load-7: unschedulable: cpu.` Equal reasons are counted. */
export function readinessText({ ready, size, missing }: Pick<GroupView, 'ready' | 'size' | 'missing'>): string {
  const names = new Map<string, string[]>();
  for (const { name, reason } of missing)
    if (reason !== undefined) names.set(reason, [...(names.get(reason) ?? []), name]);
  const reasons = [...names].map(([reason, [first = '', ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return asSentence(`${first}${more}: ${reason.replace(`${first}: `, '')}`, [first]);
  });
  const rest = reasons.length > maxReasons ? ` ${reasons.length - maxReasons} more reasons in Nodes.` : '';
  return `${ready} of ${size} ready. ${reasons.slice(0, maxReasons).join(' ')}${rest}`.trim();
}
