import type { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import type { HttpLink, HttpRequest } from '../../links/http/httpLink';
import {
  clientAnswer,
  clientsAnswer,
  envelope,
  streamsAnswer,
  summariesAnswer,
  versionsAnswer,
  vhostsAnswer,
  type SrsClient,
  type SrsStream,
  type Summaries,
} from './answers';

/** SRS lists ten at a time unless asked for more, and makes less than ten into ten. */
const pageLength = 1000;
const mostPages = 50;

const errorCodes: Readonly<Record<number, string>> = {
  1061: 'this part of the API is switched off there',
  2048: 'it has no such stream',
  2049: 'it has no such client',
};

/** SRS's HTTP API (`/api/v1`). Every call rejects with one sentence; SRS's own errors have the code `srs-NUMBER`. */
export interface SrsApi {
  versions(): Promise<z.infer<typeof versionsAnswer>>;
  summaries(): Promise<Summaries>;
  streams(): Promise<readonly SrsStream[]>;
  client(id: string): Promise<SrsClient>;
  clients(): Promise<readonly SrsClient[]>;
  vhosts(): Promise<z.infer<typeof vhostsAnswer>['vhosts']>;
  /** Ends a client's connection, a publisher's as well as a viewer's. */
  kick(id: string): Promise<void>;
}

export function srsApi(http: HttpLink, who: string, base: string): SrsApi {
  const ask = async <T>(path: string, schema: z.ZodType<T>, over: Partial<HttpRequest> = {}): Promise<T> => {
    const raw = await http.json({ url: new URL(`/api/v1/${path}`, base).href, ...over }, envelope);
    const name = path.split('?')[0] ?? path;
    if (raw.code !== 0)
      throw new FullhouseError(
        `srs-${raw.code}`,
        `${who}: SRS answers ${name} with its error ${raw.code}${errorCodes[raw.code] ? `: ${errorCodes[raw.code]}` : ''}.`,
      );
    const parsed = schema.safeParse(raw);
    if (parsed.success) return parsed.data;
    if (raw.urls !== undefined)
      throw new FullhouseError('too-old', `${who}: this SRS has no ${name} in its API; it may be too old.`);
    const issue = parsed.error.issues[0];
    throw new FullhouseError(
      'bad-answer',
      `${who}: SRS's answer to ${name} is not what it should be (${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'unknown'}); it may be another version.`,
    );
  };

  /** A client that comes or goes meanwhile can move the pages by one: by id nothing is counted twice. */
  const pages = async <T extends { readonly id: string }>(
    read: (query: string) => Promise<readonly T[]>,
  ): Promise<readonly T[]> => {
    const all = new Map<string, T>();
    for (let page = 0; page < mostPages; page += 1) {
      const some = await read(`?start=${page * pageLength}&count=${pageLength}`);
      for (const each of some) all.set(each.id, each);
      if (some.length < pageLength) break;
    }
    return [...all.values()];
  };

  return {
    versions: () => ask('versions', versionsAnswer),
    summaries: async () => (await ask('summaries', summariesAnswer)).data,
    streams: () => pages(async (query) => (await ask(`streams/${query}`, streamsAnswer)).streams),
    client: async (id) => (await ask(`clients/${encodeURIComponent(id)}`, clientAnswer)).client,
    clients: () => pages(async (query) => (await ask(`clients/${query}`, clientsAnswer)).clients),
    vhosts: async () => (await ask('vhosts/', vhostsAnswer)).vhosts,
    kick: async (id) => {
      await ask(`clients/${encodeURIComponent(id)}`, envelope, { method: 'DELETE' });
    },
  };
}
