import { z } from 'zod';
import { capacityTest } from '../domain/model/capacity';
import { reachFields } from '../domain/plan/fields/nodes';
import { shapeOf } from './fieldSchemas';
import * as n from './nodeSchemas';
import * as s from './schemas';

/** The fleet's part of the contract: probing addresses, adding and storing nodes, and actions on one of them. */

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
  'nack',
  'lost',
  'age',
] as const;
export type StreamSortKey = (typeof streamSortKeys)[number];

export const nodeCalls = {
  /** Probes an address; results come as `probe` events. An active probe of the same name is cancelled. */
  'nodes.probe': {
    input: z.strictObject({
      probe,
      address: z.string().trim().min(1).max(1000),
      ...shapeOf(reachFields),
      secrets: n.nodeSecrets,
      /** A found stream is played for one second over each protocol, by this machine's tester. */
      play: z.boolean().optional(),
    }),
    output: done,
  },
  /** Stores the secret behind `$secret:NAME`; an empty text deletes it. No call returns it. */
  'secrets.name': {
    input: z.strictObject({ name: secretName, value: z.string().max(10_000) }),
    output: done,
  },
  'nodes.probeEnd': { input: z.strictObject({ probe }), output: done },

  'nodes.add': {
    input: z.strictObject({ name: s.nodeName, settings: n.nodeSettings, secrets: n.nodeSecrets }),
    output: s.nodeView,
  },
  /** Absent secrets stay as they are; an empty text deletes one. */
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
  /** Undoes a removal of the last minute: restores settings, secrets, colour and position. */
  'nodes.restore': { input: z.strictObject({ node: s.nodeName }), output: s.nodeView },
  'nodes.reconnect': { input: z.strictObject({ node: s.nodeName }), output: done },
  /** Trusts the host key shown by a node or a probe; `fingerprint` must match the one in the question. */
  'nodes.trustHostKey': {
    input: z.strictObject({
      node: s.nodeName.optional(),
      probe: probe.optional(),
      fingerprint: z.string().max(200),
    }),
    output: done,
  },
  /** Stops the agent on a tester and uninstalls it. `remaining` lists what could not be removed. */
  'nodes.removeAgent': {
    input: z.strictObject({ node: s.nodeName }),
    output: z.object({ remaining: z.array(z.string()) }),
  },
  /** The fleet as YAML, as in a plan's `nodes`, without secrets. */
  'nodes.export': { input: z.strictObject({}), output: z.object({ yaml: z.string() }) },
  'nodes.import': {
    input: z.strictObject({ yaml: z.string().max(1_000_000) }),
    output: z.object({ added: z.array(z.string()), remarks: z.array(z.string()) }),
  },

  /** A page of a node's streams, sorted and filtered. */
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
      /** For UDP: the sending rate; default 1,000. */
      bitrateMbps: z.number().positive().max(100_000).optional(),
      port: z.number().int().min(1).max(65_535).optional(),
    }),
    output: z.object({ id: z.string() }),
  },
  'capacity.cancel': { input: z.strictObject({ id: z.string() }), output: done },
} as const;

/** Calls about secrets, for the main process only: it has access to the keychain. */
export const secretCalls = {
  'secrets.restore': {
    input: z.strictObject({ secrets: z.record(s.nodeName, n.nodeSecrets), named: namedSecrets.optional() }),
    output: done,
  },
} as const;

export const nodeEvents = {
  probe: n.probeView,
  capacity: capacityTest,
} as const;

/** Events for the main process only. */
export const secretEvents = {
  /** A node's secrets to store; empty: delete them. */
  keepSecrets: z.object({ node: s.nodeName, secrets: n.nodeSecrets }),
  /** All named secrets to store. */
  keepNamedSecrets: namedSecrets,
} as const;
