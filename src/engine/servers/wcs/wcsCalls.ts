import { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { describeAnswer } from '../../links/http/readAnswer';
import type { HttpAnswer, HttpLink } from '../../links/http/httpLink';

/** What every call may be given. */
export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A list of many thousand streams with their session descriptions. */
const mostListBytes = 64_000_000;
const mostVoidBytes = 1_000_000;

const meanings: Readonly<Record<number, string>> = {
  400: 'it does not understand the question',
  401: 'it wants a user and a password',
  403: 'it does not allow this to us',
  404: 'there is nothing of that name, or this version does not know the call',
  409: 'there is one of that name already',
  500: 'the server itself is in trouble',
};

/** Calls of WCS's REST API: POST with JSON, GET where there is nothing to say. Only the status 200 is success, and its body may be empty. */
export class WcsCalls {
  constructor(
    private readonly http: HttpLink,
    private readonly who: string,
    /** Address without a slash at its end, e.g. `http://origin:8081`. */
    private readonly base: string,
  ) {}

  /** A call that answers nothing. Rejects with `http-STATUS`, or `not-json` when a web page answers in the place of a WCS. */
  async act(path: string, body: object, options: CallOptions = {}): Promise<void> {
    const answer = await this.ask(path, body, options, mostVoidBytes);
    if (answer.status !== 200) throw this.refused(path, answer);
    if (answer.body.trimStart().startsWith('<')) throw this.notJson(path, answer.body);
  }

  /** A list; none found is an empty one, though the server calls it 404. */
  async list<T>(
    path: string,
    body: object | undefined,
    entry: z.ZodType<T>,
    options: CallOptions = {},
  ): Promise<T[]> {
    const answer = await this.ask(path, body, options, mostListBytes);
    if (answer.status === 404 && !answer.body.trimStart().startsWith('<')) return [];
    if (answer.status === 200 && answer.body.trim() === '') return [];
    return this.read(path, answer, z.array(entry));
  }

  async object<T>(
    path: string,
    body: object | undefined,
    schema: z.ZodType<T>,
    options: CallOptions = {},
  ): Promise<T> {
    return this.read(path, await this.ask(path, body, options, mostListBytes), schema);
  }

  private async ask(
    path: string,
    body: object | undefined,
    options: CallOptions,
    mostBytes: number,
  ): Promise<HttpAnswer> {
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
      mostBytes,
    };
    try {
      return await this.http.request(request);
    } catch (error) {
      // A kept connection that the server had closed meanwhile; nothing of it was answered.
      if (!(error instanceof FullhouseError) || error.code !== 'closed' || options.signal?.aborted)
        throw error;
      const answer = await this.http.request(request);
      // The first time it was taken after all, and only its answer was lost.
      return answer.status === 409 ? { ...answer, status: 200, body: '' } : answer;
    }
  }

  private read<T>(path: string, answer: HttpAnswer, schema: z.ZodType<T>): T {
    if (answer.status !== 200) throw this.refused(path, answer);
    let raw: unknown;
    try {
      raw = JSON.parse(answer.body);
    } catch {
      throw this.notJson(path, answer.body);
    }
    const parsed = schema.safeParse(raw);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new FullhouseError(
      'bad-answer',
      `${this.who}: ${path} answers with something else than a WCS does (${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'unknown'}).`,
    );
  }

  private refused(path: string, { status, body }: HttpAnswer): FullhouseError {
    const said = body.trimStart().startsWith('<') ? '' : body.trim().replace(/\s+/g, ' ').slice(0, 160);
    const why = said || meanings[status];
    return new FullhouseError(
      `http-${status}`,
      `${this.who}: ${path} answers HTTP ${status}${why ? `; ${why}` : ''}.`,
    );
  }

  private notJson(path: string, body: string): FullhouseError {
    return new FullhouseError(
      'not-json',
      `${this.who}: ${path} answers with ${describeAnswer(body)} where a WCS answers with JSON; check the address, usually port 8081.`,
    );
  }
}
