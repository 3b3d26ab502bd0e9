import type { z } from 'zod';

/** What is wrong with a list of rules that a person wrote: the first fault, with the rule and its field; one sentence. */
export function ruleFault({ issues }: z.ZodError, list: unknown): string {
  const [issue] = issues;
  if (!Array.isArray(list)) return 'It is not a list of rules; each begins with "- name:".';
  if (!issue) return 'It is not a list of rules.';
  const [place, ...fields] = issue.path;
  if (typeof place !== 'number') return issue.message;
  const rule: unknown = list[place];
  const field = fields.map(String).join('.');
  const named =
    typeof rule === 'object' && rule !== null && 'name' in rule ? `"${String(rule.name).slice(0, 80)}"` : '';
  const who = `Rule ${place + 1}${named && `, ${named},`}`;
  if (issue.code === 'unrecognized_keys') return `${who} has the unknown field ${issue.keys.join(', ')}.`;
  if (field === '') return `${who} can't be used: ${issue.message}`;
  if (field === 'kind') return `${who} has no known kind; docs/incidents.md has all of them.`;
  const isMissing = fields.length === 1 && typeof rule === 'object' && rule !== null && !(field in rule);
  const isTime = /Ms$/.test(field);
  const form = isTime ? ' Write a whole number of milliseconds, e.g. 5000.' : '';
  if (isMissing) return `${who} has no ${field}.${form}`;
  return `${who} has a wrong ${field}${isTime ? '.' : `: ${issue.message.replace(/\.?$/, '.')}`}${form}`;
}
