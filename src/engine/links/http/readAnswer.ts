import type { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { shownAddress, statusFault } from './httpFaults';
import type { HttpAnswer } from './httpLink';

/** Rejects an answer with another status than 2xx, with `http-STATUS`. */
export function requireGood(who: string, from: URL, answer: HttpAnswer): void {
  if (answer.status < 200 || answer.status >= 300)
    throw statusFault(who, from, { status: answer.status, location: answer.headers.location });
}

/** Throws `not-json` or `bad-answer`. */
export function readJson<T>(who: string, from: URL, body: string, schema: z.ZodType<T>): T {
  let raw: unknown;
  try {
    raw = JSON.parse(body.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new FullhouseError(
      'not-json',
      `${who}: ${shownAddress(from)} answers with ${describeAnswer(body)} where JSON is expected; check the address.`,
      { cause: error },
    );
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new FullhouseError(
    'bad-answer',
    `${who}: ${shownAddress(from)} answers with something else than expected (${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'unknown'}); it may be another version or another server.`,
  );
}

/** What came in place of what was expected, for a sentence. */
export function describeAnswer(body: string): string {
  const text = body.replace(/^\uFEFF/, '').trimStart();
  if (text === '') return 'nothing';
  if (/^<(!doctype html|html|head|body|h1)/i.test(text)) return 'an HTML page';
  if (text.startsWith('<')) return 'XML';
  if (/^[[{]/.test(text)) return 'a JSON that is broken or breaks off';
  return `"${text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .slice(0, 40)
    .trim()}"`;
}
