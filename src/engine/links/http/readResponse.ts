import type { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { shownAddress, statusFault } from './httpFaults';
import { validParts } from './validParts';
import type { HttpResponse } from './httpLink';

/** Rejects a status other than 2xx with `http-STATUS`. */
export function requireSuccess(who: string, from: URL, answer: HttpResponse): void {
  if (answer.status < 200 || answer.status >= 300)
    throw statusFault(who, from, { status: answer.status, location: answer.headers.location });
}

/** Throws `not-json` or `bad-answer`. */
export function readJson<T>(who: string, from: URL, body: string, schema: z.ZodType<T>): T {
  const raw = parseJson(who, from, body);
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw unexpected(who, from, `${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'unknown'}`);
}

/** Takes a sentence on the invalid parts of a response. */
export type OnInvalid = (sentence: string) => void;

/** The same part by part: what is invalid is left out and reported, the rest is used. Throws where nothing remains. */
export function readParts<T>(who: string, from: URL, body: string, schema: z.ZodType<T>, onInvalid?: OnInvalid): T {
  const parts = validParts(schema, parseJson(who, from, body));
  if (!parts.isUsable) throw unexpected(who, from, parts.fault);
  reportInvalid(who, shownAddress(from), parts.invalid, onInvalid);
  return parts.data;
}

/** Reports what was left out of a response; `what` names it. */
export function reportInvalid(
  who: string,
  what: string,
  invalid: readonly string[],
  onInvalid: OnInvalid | undefined,
): void {
  if (invalid.length > 0)
    onInvalid?.(`${who}: parts of the response of ${what} are invalid and left out (${invalid.join('; ')}).`);
}

function unexpected(who: string, from: URL, fault: string): FullhouseError {
  return new FullhouseError(
    'bad-answer',
    `${who}: ${shownAddress(from)} returned an unexpected response (${fault}); it may be another version or another server.`,
  );
}

function parseJson(who: string, from: URL, body: string): unknown {
  try {
    return JSON.parse(body.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new FullhouseError(
      'not-json',
      `${who}: ${shownAddress(from)} returned ${describeResponse(body)} instead of JSON; check the address.`,
      { cause: error },
    );
  }
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
