import { describe, expect, it } from 'vitest';
import {
  eventShape,
  findIdentifying,
  metaShapes,
  viewerShape,
  viewShape,
  Redactor,
  saveEmptyRun,
  type KeepableKind,
  type PartOfRun,
  type RedactionChoice,
} from './index';

/** Many generated runs, the same ones every time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

interface Made {
  readonly parts: readonly PartOfRun[];
  /** Every spelling of every inserted value, by kind. */
  readonly values: ReadonlyArray<{ readonly kind: KeepableKind | 'secret'; readonly value: string }>;
}

function make(seed: number): Made {
  const next = random(seed * 7919 + 13);
  const whole = (most: number): number => Math.floor(next() * most);
  const pick = <T>(from: readonly T[]): T => from[whole(from.length)] as T;
  const letters = (length: number): string => Array.from({ length }, () => 'bcdfghjklmnpqrstvwxz'[whole(20)]).join('');
  const many = <T>(most: number, one: () => T): T[] => Array.from({ length: 1 + whole(most) }, one);

  const ipv4 = many(4, () => `${20 + whole(180)}.${whole(256)}.${whole(256)}.${1 + whole(254)}`);
  const ipv6 = many(2, () => `2001:db8:${whole(65_535).toString(16)}::${(1 + whole(65_000)).toString(16)}`);
  const names = many(3, () => `${letters(4)}-${whole(90)}.${letters(6)}.${pick(['com', 'net', 'tv', 'de', 'local'])}`);
  const hosts = [...ipv4, ...ipv6, ...names];
  const users = many(2, () => `${letters(5)}.${letters(4)}`);
  const streams = many(3, () =>
    pick([`${letters(3)}${whole(9)}`, letters(7), `${letters(5)}/${letters(6)}`, `${letters(3)}_${letters(4)}`]),
  );
  const nodes = many(3, () => `${letters(6)}-${whole(99)}`);
  const files = many(2, () => `/opt/${letters(6)}/${letters(5)}.log`);
  const tokens = many(3, () => `${letters(9)}${whole(1e6)}`);
  const digits = (length: number): string => Array.from({ length }, () => whole(10)).join('');
  const hex = (): string => (16 + whole(240)).toString(16);
  // Only in sentences: nothing says that these are names.
  const foreign = many(4, () => letters(6));
  const cards = many(2, () => `a${hex()}`.slice(0, 2) + pick([':', '-']).concat(hex()));
  const macs = cards.map((start) => {
    const sign = start.charAt(2);
    return [start, hex(), hex(), hex(), hex()].join(sign);
  });
  const shares = many(2, () => `\\\\${letters(7)}\\${letters(5)}\\${letters(6)}`);
  const phones = many(2, () => `+49 1${digits(2)} ${digits(7)}`);
  const bareHosts = many(2, () => `${letters(6)}${whole(9)}`);
  const programs = many(2, () => `${letters(5)}d`);
  const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);
  const cased = (host: string): string => (next() < 0.3 ? host.toUpperCase() : host);
  const sentence = (): string =>
    pick([
      () => `${cased(pick(hosts))} refused: ${pick(streams)} is not published on ${pick(nodes)}.`,
      () =>
        `http://${inUrl(pick(hosts))}:${1 + whole(65_000)}/rtc/${pick(streams)}?x=1&token=${pick(tokens)} answered 403.`,
      () => `ssh ${pick(users)}@${inUrl(pick(hosts))}: Permission denied (publickey), see ${pick(files)}.`,
      () => `rtmp://${pick(users)}:${pick(tokens)}@${inUrl(pick(hosts))}/live/${pick(streams)}`,
      () => `{"error":"no stream \\"${pick(streams)}\\"","password":"${pick(tokens)}","from":"${pick(ipv4)}"}`,
      () => `CPU of ${pick(nodes)} (${pick(hosts)}) was ${whole(100)} % at 1:${10 + whole(49)}; ${pick(nodes)}, too.`,
      () => `The server returned "${pick(foreign)} is ${pick(foreign)}" instead of JSON.`,
      () => `The program ended with code 3: ${pick(foreign)} of ${pick(foreign)} is not there.`,
      () => `${pick(foreign)} closed the connection (${pick(foreign)}).`,
      () => `The link ${pick(macs)} is down, call ${pick(phones)}; ${pick(shares)} can't be read.`,
      () => `${pick(bareHosts)} refused the connection, ${pick(bareHosts)}:1935 did not respond.`,
      () => `Other programs use 40 % of its CPU (top: ${pick(programs)} 33 %).`,
      () => `${pick(users)} and ${pick(users)} saw "${pick(streams)}" freeze in ${pick(files)}`,
    ])();
  const parts: PartOfRun[] = [
    {
      part: 'plan',
      shape: viewShape.fields['plan'] ?? 'foreign',
      value: {
        name: `${letters(5)} ${letters(6)}`,
        nodes: Object.fromEntries(
          nodes.map((node) => [
            node,
            {
              server: 'srs',
              url: `http://${next() < 0.3 ? pick(bareHosts) : inUrl(pick(hosts))}:1985/${pick(foreign)}`,
              jump: bareHosts.map((host) => `${pick(users)}@${host}`).join(','),
              ssh: `${pick(users)}@${inUrl(pick(hosts))}:22`,
              gcLog: pick(files),
              apiKey: pick(tokens),
              user: pick(users),
            },
          ]),
        ),
        pull: {
          stream: streams[0],
          from: nodes[0],
          by: nodes,
          weights: Object.fromEntries(nodes.map((node) => [node, 2])),
        },
        also: streams.slice(1).map((stream) => ({ stream, from: pick(nodes), by: [pick(nodes)] })),
      },
    },
    // Values of sentences are recognised by their form; streams, nodes and files also occur in a field.
    {
      part: 'nodes',
      shape: viewShape.fields['nodes'] ?? 'foreign',
      value: nodes.map((node) => ({
        id: node,
        name: node,
        role: 'origin',
        host: pick(hosts),
        reach: `ssh ${pick(users)}@${inUrl(pick(hosts))}`,
        streams: streams.map((stream) => ({ stream, source: `RTMP · ${pick(ipv4)}` })),
        settings: { server: 'srs', keyFile: pick(files), user: pick(users) },
      })),
    },
    {
      part: 'events',
      shape: eventShape,
      value: many(12, () => ({
        kind: 'node',
        who: pick([...nodes, 'run']),
        node: pick(nodes),
        sentence: sentence(),
      })),
    },
    {
      part: 'failures',
      shape: viewShape.fields['failures'] ?? 'foreign',
      value: many(6, () => ({
        tester: pick(nodes),
        stage: 'signalling',
        cause: 'http 403',
        example: { detail: sentence() },
      })),
    },
    {
      part: 'viewers',
      shape: viewerShape,
      value: many(6, () => ({ tester: pick(nodes), state: 'failed', failure: { detail: sentence() } })),
    },
    {
      part: 'rest',
      shape: metaShapes['summary'] ?? 'foreign',
      value: {
        note: sentence(),
        tags: [letters(6)],
        problem: sentence(),
      },
    },
  ];
  return {
    parts,
    values: [
      ...hosts.map((value) => ({ kind: 'address', value }) as const),
      ...users.map((value) => ({ kind: 'user', value }) as const),
      ...streams.map((value) => ({ kind: 'stream', value }) as const),
      ...nodes.map((value) => ({ kind: 'node', value }) as const),
      ...files.map((value) => ({ kind: 'file', value }) as const),
      ...tokens.map((value) => ({ kind: 'secret', value }) as const),
      ...foreign.map((value) => ({ kind: 'text', value }) as const),
      ...macs.map((value) => ({ kind: 'address', value }) as const),
      ...shares.map((value) => ({ kind: 'file', value }) as const),
      ...phones.map((value) => ({ kind: 'secret', value }) as const),
      ...bareHosts.map((value) => ({ kind: 'address', value }) as const),
      ...programs.map((value) => ({ kind: 'program', value }) as const),
    ],
  };
}

const runs = 60;
const seeds = Array.from({ length: runs }, (_, seed) => seed + 5);

describe(`${runs} generated runs`, { timeout: 60_000 }, () => {
  it('keep no identifying value', () => {
    for (const seed of seeds) {
      const { parts, values } = make(seed);
      const text = redactedText(parts, { keepKinds: [], keep: [] });
      const left = values.filter(({ value }) => text.includes(JSON.stringify(value.toLowerCase()).slice(1, -1)));
      expect({ seed, left }).toEqual({ seed, left: [] });
    }
  });

  it('keep exactly the chosen kinds', () => {
    for (const seed of seeds) {
      const { parts, values } = make(seed);
      const kind = (['address', 'user', 'stream', 'node', 'file'] as const)[seed % 5] ?? 'address';
      const text = redactedText(parts, { keepKinds: [kind, 'note'], keep: [] });
      const before = JSON.stringify(parts).toLowerCase();
      const kept = new Set(values.filter((each) => each.kind === kind).map(({ value }) => value.toLowerCase()));
      // A value that is part of a kept one stays with it.
      const left = values.filter(
        (each) =>
          each.kind !== kind &&
          // A note that is kept has its own words.
          each.kind !== 'text' &&
          text.includes(each.value.toLowerCase()) &&
          ![...kept].some((other) => other.includes(each.value.toLowerCase())),
      );
      expect({ seed, kind, left }).toEqual({ seed, kind, left: [] });
      const lost = [...kept].filter((value) => before.includes(value) && !text.includes(value));
      expect({ seed, kind, lost: lost.length }).toEqual({ seed, kind, lost: 0 });
    }
  });

  it('have one pseudonym per value, and the same shape', () => {
    for (const seed of seeds) {
      const { parts } = make(seed);
      const found = findIdentifying(parts);
      const named = found.filter(({ kind }) => kind !== 'secret' && kind !== 'note' && kind !== 'text');
      expect(new Set(named.map(({ becomes }) => becomes)).size).toBe(named.length);
      expect(findIdentifying(parts)).toEqual(found);
      const redactor = new Redactor(found, saveEmptyRun);
      for (const { value, shape } of parts) expect(shapeOf(redactor.value(value, shape))).toEqual(shapeOf(value));
    }
  });
});

function redactedText(parts: readonly PartOfRun[], choice: RedactionChoice): string {
  const redactor = new Redactor(findIdentifying(parts), choice);
  return JSON.stringify(parts.map(({ value, shape }) => redactor.value(value, shape))).toLowerCase();
}

/** Lists, records by number of keys, and the positions of texts and numbers. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) return Object.values(value).map(shapeOf);
  return typeof value;
}
