import { z } from 'zod';
import * as n from './nodeSchemas';
import * as s from './schemas';

/** The fleet's part of the contract: looking at addresses, adding and keeping nodes, and what is done with one of them. */

const done = z.object({ done: z.literal(true) });
const probe = z.string().min(1).max(64);
const secretName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);
const namedSecrets = z.record(secretName, z.string().max(10_000));

export const streamSortKeys = [
  'stream',
  'source',
  'viewers',
  'degraded',
  'codec',
  'size',
  'bitrate',
  'fps',
  'age',
] as const;
export type StreamSortKey = (typeof streamSortKeys)[number];

export const nodeCalls = {
  /** Looks at an address; what it finds comes as `probe` events. A probe of the same name that is under way ends. */
  'nodes.probe': {
    input: z.strictObject({
      probe,
      address: z.string().trim().min(1).max(1000),
      keyFile: z.string().max(1000).optional(),
      jump: z.string().max(300).optional(),
      user: z.string().max(200).optional(),
      apiKey: z.string().max(200).optional(),
      selfSigned: z.boolean().optional(),
      allowCrossOrigin: z.boolean().optional(),
      secrets: n.nodeSecrets,
    }),
    output: done,
  },
  /** Keeps the secret that `$secret:NAME` stands for; an empty text forgets it. Nothing tells it again. */
  'secrets.name': {
    input: z.strictObject({ name: secretName, value: z.string().max(10_000) }),
    output: done,
  },
  'nodes.probeEnd': { input: z.strictObject({ probe }), output: done },

  'nodes.add': {
    input: z.strictObject({ name: s.nodeName, settings: n.nodeSettings, secrets: n.nodeSecrets }),
    output: s.nodeView,
  },
  /** Secrets that are not named stay as they are; an empty text forgets one. */
  'nodes.edit': {
    input: z.strictObject({
      node: s.nodeName,
      name: s.nodeName,
      settings: n.nodeSettings,
      secrets: n.nodeSecrets,
    }),
    output: s.nodeView,
  },
  'nodes.remove': { input: z.strictObject({ node: s.nodeName }), output: done },
  /** Undoes a removal of the last minute: settings, secrets, colour and place are as they were. */
  'nodes.restore': { input: z.strictObject({ node: s.nodeName }), output: s.nodeView },
  'nodes.reconnect': { input: z.strictObject({ node: s.nodeName }), output: done },
  /** Trusts the host key that a node or a probe asks about; `fingerprint` must be that of the question. */
  'nodes.trustHostKey': {
    input: z.strictObject({
      node: s.nodeName.optional(),
      probe: probe.optional(),
      fingerprint: z.string().max(200),
    }),
    output: done,
  },
  /** Ends the agent on a tester and removes it. `left` lists what is still there, which is nothing when all went well. */
  'nodes.removeAgent': {
    input: z.strictObject({ node: s.nodeName }),
    output: z.object({ left: z.array(z.string()) }),
  },
  /** The fleet as YAML in the form of a plan's `nodes`, without secrets. */
  'nodes.export': { input: z.strictObject({}), output: z.object({ yaml: z.string() }) },
  'nodes.import': {
    input: z.strictObject({ yaml: z.string().max(1_000_000) }),
    output: z.object({ added: z.array(z.string()), remarks: z.array(z.string()) }),
  },

  /** A window into a node's streams, sorted and filtered. */
  'nodes.streams': {
    input: z.strictObject({
      node: s.nodeName,
      filter: z.string().max(200),
      sortBy: z.enum(streamSortKeys),
      descending: z.boolean(),
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.object({ total: z.number(), matching: z.number(), streams: z.array(s.streamView) }),
  },
  /** Ends one stream, or all that match `filter` now. */
  'nodes.terminate': {
    input: z.strictObject({
      node: s.nodeName,
      stream: z.string().max(300).optional(),
      filter: z.string().max(200).optional(),
    }),
    output: z.object({ ended: z.number(), problems: z.array(z.string()) }),
  },

  /** iperf3 from one node to another; progress and result come as `capacity` events. */
  'capacity.measure': {
    input: z.strictObject({
      from: s.nodeName,
      to: s.nodeName,
      protocol: z.enum(['tcp', 'udp']),
      seconds: z.number().min(1).max(60),
      /** For UDP: what is sent; default 1,000. */
      bitrateMbps: z.number().positive().max(100_000).optional(),
      port: z.number().int().min(1).max(65_535).optional(),
    }),
    output: z.object({ id: z.string() }),
  },
  'capacity.cancel': { input: z.strictObject({ id: z.string() }), output: done },

  /** How the control player plays a stream: `whep` by `signal.whep` (whatever the engine makes of it), `hls` by `player.fetch`. */
  'player.address': {
    input: z.strictObject({ node: s.nodeName, stream: s.streamName }),
    output: z.object({ protocol: z.enum(['whep', 'hls']), url: z.string() }),
  },
  /** A piece of a stream for the control player (HLS, HTTP-FLV); only addresses of the node's own server are fetched. */
  'player.fetch': {
    input: z.strictObject({ node: s.nodeName, url: z.string().max(2000) }),
    output: z.object({
      status: z.number(),
      url: z.string(),
      data: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    }),
  },
} as const;

/** Calls about secrets, for the main process alone: it holds the keychain. */
export const secretCalls = {
  'secrets.restore': {
    input: z.strictObject({ secrets: z.record(s.nodeName, n.nodeSecrets), named: namedSecrets.optional() }),
    output: done,
  },
} as const;

export const nodeEvents = {
  probe: n.probeView,
  capacity: n.capacityTest,
} as const;

/** Events that only the main process hears. */
export const secretEvents = {
  /** A node's secrets as they are to be kept; empty: forget them. */
  keepSecrets: z.object({ node: s.nodeName, secrets: n.nodeSecrets }),
  /** All named secrets as they are to be kept. */
  keepNamedSecrets: namedSecrets,
} as const;
