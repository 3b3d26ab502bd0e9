import { z } from 'zod';
import { publishProtocols } from '../model/node';
import { pullProtocols } from '../model/protocols';
import { isSeries } from '../series/series';
import { patternFault } from './pattern';
import { schemaFault } from '../text/schemaFault';

/**
 * A server family as a file: how it is recognised, its addresses, and what its API reports. It has no code, and its
 * addresses are those of the node's own host, so that a file from others can't send anything elsewhere.
 */

const words = z.string().trim().min(1).max(300);
const name = z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/, 'must be letters and digits, with a lower-case letter first');

/** `scheme://{part}` and a path; `{part}` becomes the host and port of that part of the server. */
const addressForm = /^([a-z]{2,6}):\/\/\{([a-zA-Z0-9]+)\}(?=$|[/?])(.*)$/s;

/** An address of a file, taken apart: its path includes the query. All are empty for a text of another form. */
export function addressParts(address: string): {
  readonly scheme: string;
  readonly part: string;
  readonly path: string;
} {
  const [, scheme = '', part = '', path = ''] = addressForm.exec(address) ?? [];
  return { scheme, part, path };
}

const address = z
  .string()
  .max(1000)
  .regex(addressForm, 'must start with a scheme and a part of the server, e.g. "http://{api}/streams"');

/** A pointer (RFC 6901) into a response, in which `*` stands for each element. */
const pointer = z
  .string()
  .max(300)
  .regex(/^(\/[^/]*)*$/, 'must be a pointer such as /items/*/name');
/** `{/pointer}` is a value of the stream, `{#1}` the key that the first `*` stands for. */
const template = z.string().min(1).max(300);
/** A text that has to occur: `*` stands for any characters of a line, `{version}` for a version. */
const pattern = z
  .string()
  .min(1)
  .max(300)
  .superRefine((text, context) => {
    const fault = patternFault(text);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });
const patterns = z.union([pattern, z.array(pattern).min(1).max(10)]);

/** A condition: each pointer's value is one of these, or anything but absent, false, empty and 0. */
const conditions = z.record(pointer, z.union([z.boolean(), pattern, z.array(pattern).max(20)]));

const valueFields = {
  at: pointer,
  /** Factor from the response's unit to the series' or field's unit. */
  times: z.number().optional(),
  /** Added afterwards. */
  plus: z.number().optional(),
};
const namedValue = z.strictObject({
  ...valueFields,
  where: conditions.optional(),
  /** What its texts or numbers stand for: `{ 7: H264 }`. */
  names: z.record(z.string(), z.string().min(1).max(50)).optional(),
});
const value = z.union([pointer, namedValue]);
export type ValueRule = z.infer<typeof value>;

const request = z.strictObject({
  get: address,
  as: z.enum(['json', 'xml', 'metrics', 'text']).default('json'),
  /** Elements of XML, or members of JSON, that are lists, also where there is one. */
  lists: z.array(z.string().min(1).max(50)).max(20).optional(),
  /** Sent for each element of another request's response, with its values (`{/}` is a text itself): the response is a
   * list of `{ item, response }`. */
  each: z.strictObject({ from: name, at: pointer }).optional(),
  /** Sent by POST with these members as JSON. */
  json: z.record(z.string(), z.string().max(300)).optional(),
  /** Sent only with a login: without one `otherwise` applies, as for anything else that fails. */
  needsLogin: z.boolean().optional(),
  /** Without a response the rest is read all the same; the sentence states what is missing, and how to enable it. */
  otherwise: words.optional(),
});
export type RequestRule = z.infer<typeof request>;

const recognition = z.union([
  z.strictObject({
    get: address,
    status: z.union([z.number().int(), z.array(z.number().int())]).optional(),
    header: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a header in lower case'), patterns).optional(),
    body: patterns.optional(),
  }),
  /** The `Server` header of the response to an RTSP request. */
  z.strictObject({ rtsp: name, server: patterns }),
  /** What an RTMP server names itself in its response to `connect`. */
  z.strictObject({ rtmp: name, fmsVer: patterns }),
]);
export type RecognitionRule = z.infer<typeof recognition>;

const streams = z.strictObject({
  from: name,
  /** Each stream in the response. */
  each: pointer,
  /** A pointer within a stream, or a template: `{/app}/{/name}`, `{#1}`. */
  name: template,
  /** The name is an address, whose path is the name of the stream. */
  isNamedByAddress: z.boolean().optional(),
  where: conditions.optional(),
  /** Its publisher: a template, or one value with `names`. A stream without a value is not published. */
  publisher: z.union([template, namedValue]).optional(),
  /** Conditions under which it is published, if not by `publisher`. */
  published: conditions.optional(),
  /** A number, or a list that is counted. */
  viewers: value.optional(),
  /** The kind of each viewer, and the protocol that each kind stands for. */
  viewersBy: z
    .union([
      z.strictObject({ each: pointer, protocols: z.record(z.string(), z.enum(pullProtocols)) }),
      /** For kinds of several values; the first whose conditions hold. */
      z.strictObject({
        each: pointer,
        kinds: z
          .array(z.strictObject({ protocol: z.enum(pullProtocols), where: conditions }))
          .min(1)
          .max(30),
      }),
      /** Numbers of viewers by protocol, as pointers within the stream whose values are added. */
      z.strictObject({ counts: z.partialRecord(z.enum(pullProtocols), z.array(pointer).min(1).max(10)) }),
    ])
    .optional(),
  bytesIn: value.optional(),
  bytesOut: value.optional(),
  /** What the publisher sends, and what all viewers together receive, where they are not counters. */
  bitrateKbps: value.optional(),
  outKbps: value.optional(),
  videoCodec: value.optional(),
  audioCodec: value.optional(),
  width: value.optional(),
  height: value.optional(),
  fps: value.optional(),
  /** When it was published: ISO 8601, or seconds or milliseconds since 1970. */
  since: value.optional(),
  ageMs: value.optional(),
});
export type StreamsRule = z.infer<typeof streams>;

const counterFields = {
  /** It only grows: its increase per second is the figure. */
  isCounter: z.boolean().optional(),
  /** Time between its updates, where responses repeat it in between. */
  periodMs: z.number().int().min(1000).max(60_000).optional(),
};
const figure = z.union([
  z.strictObject({
    from: name,
    ...valueFields,
    where: conditions.optional(),
    ...counterFields,
  }),
  z.strictObject({
    from: name,
    /** A metric of Prometheus' format; the sum of all with these labels. */
    metric: z.string().min(1).max(200),
    labels: z.record(z.string(), z.string()).optional(),
    times: z.number().optional(),
    ...counterFields,
  }),
  z.strictObject({
    from: name,
    /** The number behind the first occurrence of this text. */
    after: z.string().min(1).max(200),
    times: z.number().optional(),
    ...counterFields,
  }),
]);
export type FigureRule = z.infer<typeof figure>;

const login = z.union([
  z.enum(['basic', 'bearer']),
  z.strictObject({ query: z.string().min(1).max(50) }),
  /** A member of what is sent as JSON. */
  z.strictObject({ member: z.string().min(1).max(50) }),
  /** `{password}`, `{base64:password}` and `{user}` in the value. */
  z.strictObject({ header: z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/), value: z.string().min(1).max(200) }),
  /** A request whose response has a bearer token for all others; `{password}` and `{user}` in its JSON. */
  z.strictObject({ post: address, json: z.record(z.string(), z.string().max(200)), token: pointer }),
]);
export type LoginRule = z.infer<typeof login>;

const end = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  address,
  /** Sent as JSON: templates by key. */
  json: z.record(z.string(), template).optional(),
  where: conditions.optional(),
});

/** Settings of a node that are addresses of a part, by the address of their protocol. */
const play = z.partialRecord(z.enum(pullProtocols), address);
const publish = z.partialRecord(z.enum(publishProtocols), address);

const shape = z.strictObject({
  title: words,
  /** Where its facts come from. */
  source: words.optional(),
  /** As shown by ps. */
  process: z.string().min(1).max(64).optional(),
  /** What its process is: `native` has no garbage collector. */
  runtime: z.enum(['native', 'go', 'jvm', 'node']).optional(),
  /** Handles media in one thread. */
  isSingleThreaded: z.boolean().optional(),
  /** The application of streams without one in their name. */
  app: z.string().min(1).max(100).optional(),
  /** Usual ports; the first one is that of `url`. */
  ports: z.record(name, z.number().int().min(1).max(65535)),
  recognise: z.array(recognition).min(1).max(20),
  /** Its rules match its relatives too, which have rules of their own. */
  isGeneral: z.boolean().optional(),
  play: play.default({}),
  publish: publish.default({}),
  /** Sent as a bearer token by viewers and publishers over WHEP and WHIP. */
  token: template.optional(),
  /** Pages for playing and publishing, with `{stream}`. */
  pages: z.array(address).max(20).default([]),
  login: login.default('basic'),
  /** For an API whose errors have the status 200: what a response is if the request succeeded, and if it lacks a login. */
  success: z
    .strictObject({ where: conditions, reason: pointer.optional(), loginFault: conditions.optional() })
    .optional(),
  requests: z.record(name, request).default({}),
  version: z
    .strictObject({
      from: name,
      at: pointer,
      /** What precedes the version in that text. */
      after: words.optional(),
    })
    .optional(),
  streams: streams.optional(),
  figures: z
    .record(
      z
        .string()
        .refine((series): boolean => isSeries(series), 'is not a series; see docs/series.md, or write server:NAME'),
      figure,
    )
    .default({}),
  /** How to end a stream's publisher; the first whose conditions hold. `{/pointer}` is a value of the stream. */
  end: z.array(end).max(10).default([]),
  /** What its documentation says about limits: sentences. */
  limits: z.array(words).max(20).default([]),
  /** Rules for preflight, as in docs/preflight.md. */
  preflight: z.array(z.unknown()).max(50).default([]),
});
export type FamilyRules = z.infer<typeof shape>;

/** A family with its name, that of its file. */
export interface FamilyFile extends FamilyRules {
  readonly family: string;
}

/** Sent every second. */
const maxRequests = 20;

/** Faults that concern several fields; undefined if there are none. */
function referenceFault(rules: FamilyRules): string | undefined {
  const parts = new Set(Object.keys(rules.ports));
  if (parts.size === 0) return 'ports: name at least one, e.g. { api: 8080 }.';
  // These are the names of a stream in addresses.
  for (const part of ['app', 'stream']) if (parts.has(part)) return `ports: "${part}" can't be the name of a port.`;
  if (Object.keys(rules.requests).length > maxRequests) return `requests: at most ${maxRequests} are allowed.`;
  const addresses: ReadonlyArray<readonly [string, string]> = [
    ...rules.recognise.map((each, index): readonly [string, string] =>
      'get' in each
        ? [`recognise.${index}.get`, each.get]
        : 'rtsp' in each
          ? [`recognise.${index}.rtsp`, `rtsp://{${each.rtsp}}`]
          : [`recognise.${index}.rtmp`, `rtmp://{${each.rtmp}}`],
    ),
    ...Object.entries(rules.play).map(([key, at]) => [`play.${key}`, at] as const),
    ...Object.entries(rules.publish).map(([key, at]) => [`publish.${key}`, at] as const),
    ...rules.pages.map((at, index) => [`pages.${index}`, at] as const),
    ...Object.entries(rules.requests).map(([key, { get }]) => [`requests.${key}.get`, get] as const),
    ...rules.end.map((each, index) => [`end.${index}.address`, each.address] as const),
    ...(typeof rules.login === 'object' && 'post' in rules.login ? [['login.post', rules.login.post] as const] : []),
  ];
  for (const [path, at] of addresses) {
    const { part } = addressParts(at);
    if (!parts.has(part))
      return `${path}: {${part}} is not one of its ports; known: ${[...parts].map((each) => `{${each}}`).join(', ')}.`;
  }
  const sources: ReadonlyArray<readonly [string, string | undefined]> = [
    ['streams.from', rules.streams?.from],
    ['version.from', rules.version?.from],
    ...Object.entries(rules.figures).map(([series, { from }]) => [`figures.${series}.from`, from] as const),
    ...Object.entries(rules.requests).map(([key, { each }]) => [`requests.${key}.each.from`, each?.from] as const),
  ];
  for (const [path, from] of sources)
    if (from !== undefined && !Object.hasOwn(rules.requests, from))
      return `${path}: "${from}" is not one of its requests; known: ${Object.keys(rules.requests).join(', ') || 'none'}.`;
  for (const [key, { each }] of Object.entries(rules.requests))
    if (each && rules.requests[each.from]?.each)
      return `requests.${key}.each.from: "${each.from}" is sent for each element itself.`;
  for (const [name, { needsLogin, otherwise }] of Object.entries(rules.requests))
    if (needsLogin && otherwise === undefined)
      return `requests.${name}: it is not sent without a login; add "otherwise", what is missing then.`;
  for (const [series, each] of Object.entries(rules.figures)) {
    const as = rules.requests[each.from]?.as;
    const needed = 'metric' in each ? 'metrics' : 'after' in each ? 'text' : undefined;
    if (needed !== undefined && as !== needed)
      return `figures.${series}: its request "${each.from}" is read as ${as ?? 'json'}, not as ${needed}.`;
    if (needed === undefined && (as === 'metrics' || as === 'text'))
      return `figures.${series}: "at" needs a response that is json or xml; "${each.from}" is read as ${as}.`;
  }
  return undefined;
}

/** Rules as they are, or one sentence about the first fault. */
export function checkFamily(content: unknown): { readonly rules: FamilyRules } | { readonly fault: string } {
  const parsed = shape.safeParse(content);
  if (!parsed.success) return { fault: schemaFault(parsed.error, 'a family file', Object.keys(shape.shape)) };
  const fault = referenceFault(parsed.data);
  return fault === undefined ? { rules: parsed.data } : { fault };
}
