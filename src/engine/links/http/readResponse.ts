import type { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { BudgetExceeded } from '../../../domain/budget/budget';
import { parseForeignJson } from '../../../domain/budget/foreignJson';
import { shownAddress, statusFault } from './httpFaults';
import { validParts } from './validParts';
import type { HttpResponse } from './httpLink';

/** Rejects a status other than 2xx with `http-STATUS`. */
export function requireSuccess(who: string, from: URL, answer: HttpResponse): void {
  if (answer.status < 200 || answer.status >= 300)
    throw statusFault(who, from, {
      status: answer.status,
      location: answer.headers.location,
      through: answer.through,
      hadCredentials: answer.hadCredentials,
    });
}

/** Throws `not-json`, `too-long` (it has more values than `maxValues`, or is nested too deeply) or `bad-answer`. */
export function readJson<T>(who: string, from: URL, body: string, schema: z.ZodType<T>, maxValues?: number): T {
  const raw = parseJson(who, from, body, maxValues);
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw unexpected(who, from, `${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'unknown'}`);
}

/** Takes a sentence on the invalid parts of a response. */
export type OnInvalid = (sentence: string) => void;

/** How parts of a response are read. */
export interface PartsOptions {
  readonly onInvalid?: OnInvalid | undefined;
  /** Max number of values in the whole response; the usual bound of foreign JSON if absent. */
  readonly maxValues?: number;
}

/** Reads a response part by part: what is invalid is left out and reported. Throws where nothing remains. */
export function readParts<T>(
  who: string,
  from: URL,
  body: string,
  schema: z.ZodType<T>,
  { onInvalid, maxValues }: PartsOptions = {},
): T {
  const parts = validParts(schema, parseJson(who, from, body, maxValues));
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

function parseJson(who: string, from: URL, body: string, maxValues?: number): unknown {
  try {
    return parseForeignJson(body.replace(/^\uFEFF/, ''), 'its response', maxValues);
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
