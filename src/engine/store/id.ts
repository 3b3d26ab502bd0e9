import { randomInt } from 'node:crypto';
import type { RunId } from '../../domain/model/run';

/** Extension of run files. */
export const fileExtension = '.fullhouse';

const letters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Last part of an id: six characters that are hard to confuse. */
function shortId(): string {
  return Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('');
}

/** The id of a new run, which is also its file's name: UTC date, the simplified name, and a random part. */
export function newRunId(name: string, startedMs: number, random: () => string = shortId): RunId {
  const date = new Date(startedMs).toISOString().slice(0, 10);
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return [date, slug || 'run', random()].join('-');
}
