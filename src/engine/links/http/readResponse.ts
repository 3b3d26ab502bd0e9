import type { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { BudgetExceeded } from '../../../domain/budget/budget';
import { parseForeignJson } from '../../../domain/budget/foreignJson';
import { shownAddress, statusFault } from './httpFaults';
import type { HttpResponse } from './httpLink';

/** Rejects a status other than 2xx with `http-STATUS`. */
export function requireSuccess(who: string, from: URL, answer: HttpResponse): void {
  if (answer.status < 200 || answer.status >= 300)
    throw statusFault(who, from, { status: answer.status, location: answer.headers.location });
}

/** Throws `not-json`, `too-long` (it has more values than `maxValues`, or is nested too deeply) or `bad-answer`. */
export function readJson<T>(who: string, from: URL, body: string, schema: z.ZodType<T>, maxValues?: number): T {
  let raw: unknown;
  try {
    raw = parseForeignJson(body.replace(/^\uFEFF/, ''), 'its response', maxValues);
  } catch (error) {
    if (error instanceof BudgetExceeded)
      throw new FullhouseError('too-long', `${who}: ${shownAddress(from)}: ${error.message}; check the address.`, {
        cause: error,
      });
    throw new FullhouseError(
      'not-json',
      `${who}: ${shownAddress(from)} returned ${describeResponse(body)} instead of JSON; check the address.`,
      { cause: error },
    );
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new FullhouseError(
    'bad-answer',
    `${who}: ${shownAddress(from)} returned an unexpected response (${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'unknown'}); it may be another version or another server.`,
  );
}

/** What was received instead, for a message. */
export function describeResponse(body: string): string {
  const text = body.replace(/^\uFEFF/, '').trimStart();
  if (text === '') return 'an empty response';
  if (/^<(!doctype html|html|head|body|h1)/i.test(text)) return 'an HTML page';
  if (text.startsWith('<')) return 'XML';
  if (/^[[{]/.test(text)) return 'invalid or incomplete JSON';
  return `"${text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .slice(0, 40)
    .trim()}"`;
}
