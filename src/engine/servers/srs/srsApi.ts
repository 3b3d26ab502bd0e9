import type { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { reportInvalid, type OnInvalid } from '../../links/http/readResponse';
import { validParts } from '../../links/http/validParts';
import type { HttpLink, HttpRequest } from '../../links/http/httpLink';
import {
  clientResponse,
  clientsResponse,
  envelope,
  streamsResponse,
  summariesResponse,
  versionsResponse,
  vhostsResponse,
  type SrsClient,
  type SrsStream,
  type Summaries,
} from './responses';

/** Where SRS's API listens unless configured otherwise. */
export const apiPort = 1985;

/** SRS lists ten at a time by default, and treats less than ten as ten. */
const pageLength = 1000;
const maxPages = 50;

const errorCodes: Readonly<Record<number, string>> = {
  1061: 'this part of the API is disabled there',
  2048: 'no such stream',
  2049: 'no such client',
};

/** SRS's HTTP API (`/api/v1`). Every call rejects with one sentence; SRS's own errors have the code `srs-NUMBER`. */
export interface SrsApi {
  versions(): Promise<z.infer<typeof versionsResponse>>;
  summaries(): Promise<Summaries>;
  streams(): Promise<readonly SrsStream[]>;
  client(id: string): Promise<SrsClient>;
  clients(): Promise<readonly SrsClient[]>;
  vhosts(): Promise<z.infer<typeof vhostsResponse>['vhosts']>;
  /** Ends a client's connection, a publisher's or a viewer's. */
  kick(id: string): Promise<void>;
}

export function srsApi(http: HttpLink, who: string, base: string, remark?: OnInvalid): SrsApi {
  const ask = async <T>(path: string, schema: z.ZodType<T>, over: Partial<HttpRequest> = {}): Promise<T> => {
    const name = path.split('?')[0] ?? path;
    const raw = await http
      .json({ url: new URL(`/api/v1/${path}`, base).href, ...over }, envelope)
      .catch((error: unknown) => {
        // Its HTTP server, usually on 8080, answers `versions` only.
        if (!(error instanceof FullhouseError) || error.code !== 'http-404' || name === 'versions') throw error;
        throw new FullhouseError(
          'not-the-api',
          `${who}: ${new URL(base).host} is SRS's HTTP server, without the API (HTTP 404 for ${name}); change the node's API address, usually http://${new URL(base).hostname}:${apiPort}.`,
          { cause: error },
        );
      });
    if (raw.code !== 0)
      throw new FullhouseError(
        `srs-${raw.code}`,
        `${who}: SRS failed ${name} with error ${raw.code}${errorCodes[raw.code] ? `: ${errorCodes[raw.code]}` : ''}.`,
      );
    // An unknown path is a list of the known ones.
    if (raw.urls !== undefined && schema !== envelope)
      throw new FullhouseError('too-old', `${who}: this SRS has no ${name} in its API; it may be too old.`);
    const parts = validParts(schema, raw);
    if (!parts.isUsable)
      throw new FullhouseError(
        'bad-answer',
        `${who}: SRS's response to ${name} is invalid (${parts.fault}); it may be another version.`,
      );
    reportInvalid(who, name, parts.invalid, remark);
    return parts.data;
  };

  /** Pages can shift by one when a client connects or disconnects meanwhile: the id prevents counting twice. */
  const pages = async <T extends { readonly id: string }>(
    read: (query: string) => Promise<readonly T[]>,
  ): Promise<readonly T[]> => {
    const all = new Map<string, T>();
    for (let page = 0; page < maxPages; page += 1) {
      const some = await read(`?start=${page * pageLength}&count=${pageLength}`);
      for (const item of some) all.set(item.id, item);
      if (some.length < pageLength) break;
    }
    return [...all.values()];
  };

  return {
    versions: () => ask('versions', versionsResponse),
    summaries: async () => (await ask('summaries', summariesResponse)).data,
    streams: () => pages(async (query) => (await ask(`streams/${query}`, streamsResponse)).streams),
    client: async (id) => (await ask(`clients/${encodeURIComponent(id)}`, clientResponse)).client,
    clients: () => pages(async (query) => (await ask(`clients/${query}`, clientsResponse)).clients),
    vhosts: async () => (await ask('vhosts/', vhostsResponse)).vhosts,
    kick: async (id) => {
      await ask(`clients/${encodeURIComponent(id)}`, envelope, { method: 'DELETE' });
    },
  };
}
