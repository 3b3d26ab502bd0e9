import { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { secretFix } from '../../base/secretPlace';
import { describeResponse, reportInvalid, type OnInvalid } from '../../links/http/readResponse';
import { validParts } from '../../links/http/validParts';
import type { HttpResponse, HttpLink } from '../../links/http/httpLink';
import { BudgetExceeded } from '../../../domain/budget/budget';
import { parseForeignJson } from '../../../domain/budget/foreignJson';

/** Options of every call. */
export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A list of many thousand streams with their session descriptions. */
const maxListBytes = 64_000_000;
const maxVoidBytes = 1_000_000;

const meanings: Readonly<Record<number, string>> = {
  400: 'invalid request',
  401: 'user and password required',
  403: 'not permitted',
  404: 'no such object, or this version does not support the call',
  409: 'the name exists already',
  500: 'server error',
};

/**
 * Calls of WCS's REST API: POST with JSON, GET without a body. Only the status 200 is success, and its body may be
 * empty.
 */
export class WcsCalls {
  constructor(
    private readonly http: HttpLink,
    private readonly who: string,
    /** Address without trailing slash, e.g. `http://origin:8081`. */
    private readonly base: string,
    private readonly remark?: OnInvalid,
  ) {}

  /** A call without a result. Rejects with `http-STATUS`, or `not-json` when a web page is returned instead. */
  async act(path: string, body: object, options: CallOptions = {}): Promise<void> {
    const answer = await this.ask(path, body, options, maxVoidBytes);
    if (answer.status !== 200) throw this.refused(path, answer);
    if (answer.body.trimStart().startsWith('<')) throw this.notJson(path, answer.body);
  }

  /** A list; empty when none is found, which the server reports as 404. */
  async list<T>(path: string, body: object | undefined, entry: z.ZodType<T>, options: CallOptions = {}): Promise<T[]> {
    const answer = await this.ask(path, body, options, maxListBytes);
    if (answer.status === 404 && !answer.body.trimStart().startsWith('<')) return [];
    if (answer.status === 200 && answer.body.trim() === '') return [];
    return this.read(path, answer, z.array(entry));
  }

  async object<T>(path: string, body: object | undefined, schema: z.ZodType<T>, options: CallOptions = {}): Promise<T> {
    return this.read(path, await this.ask(path, body, options, maxListBytes), schema);
  }

  private async ask(
    path: string,
    body: object | undefined,
    options: CallOptions,
    maxBytes: number,
  ): Promise<HttpResponse> {
    const request = {
      url: `${this.base}/rest-api${path}`,
      ...(body === undefined
        ? {}
        : {
            method: 'POST' as const,
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          }),
      ...options,
      maxBytes,
    };
    try {
      return await this.http.request(request);
    } catch (error) {
      // The server had closed a kept-alive connection meanwhile, without a response.
      if (!(error instanceof FullhouseError) || error.code !== 'closed' || options.signal?.aborted) throw error;
      const answer = await this.http.request(request);
      // The first request was processed after all, only its response was lost.
      return answer.status === 409 ? { ...answer, status: 200, body: '' } : answer;
    }
  }

  private read<T>(path: string, answer: HttpResponse, schema: z.ZodType<T>): T {
    if (answer.status !== 200) throw this.refused(path, answer);
    let raw: unknown;
    try {
      raw = parseForeignJson(answer.body);
    } catch (error) {
      if (error instanceof BudgetExceeded)
        throw new FullhouseError('too-long', `${this.who}: ${path}: ${error.message}.`, { cause: error });
      throw this.notJson(path, answer.body);
    }
    const parts = validParts(schema, raw);
    if (parts.isUsable) {
      reportInvalid(this.who, path, parts.invalid, this.remark);
      return parts.data;
    }
    throw new FullhouseError('bad-answer', `${this.who}: ${path} returned an unexpected response (${parts.fault}).`);
  }

  private refused(path: string, { status, body }: HttpResponse): FullhouseError {
    const detail = body.trimStart().startsWith('<') ? '' : body.trim().replace(/\s+/g, ' ').slice(0, 160);
    const fix = status === 401 ? secretFix(this.who, 'httpPassword', '') : '';
    const why = [detail || meanings[status], fix].filter(Boolean).join(': ');
    return new FullhouseError(
      `http-${status}`,
      `${this.who}: ${path} returned HTTP ${status}${why ? `; ${why}` : ''}.`,
    );
  }

  private notJson(path: string, body: string): FullhouseError {
    return new FullhouseError(
      'not-json',
      `${this.who}: ${path} returned ${describeResponse(body)} instead of JSON; check the address, usually port 8081.`,
    );
  }
}
