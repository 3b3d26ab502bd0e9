import { FullhouseError, type Handlers } from '../../src/contract/calls';
import type { CallInput, EngineCallName, EngineEventName, EngineEvents } from '../../src/contract/engine';
import type { NodeView, StreamView } from '../../src/domain/model/node';
import {
  isOriginSettings,
  secretKinds,
  type NodeSecrets,
  type NodeSettings,
  type SecretKind,
} from '../../src/domain/model/nodeSettings';
import { nodesToYaml } from '../../src/domain/plan/planText';
import { probeSequence, type ProbeStep } from './fakeProbe';

/** Dependencies of the fake fleet on the fake engine. */
export interface FakeFleet {
  readonly nodes: () => readonly NodeView[];
  readonly change: (nodes: readonly NodeView[]) => void;
  readonly push: <E extends EngineEventName>(name: E, payload: EngineEvents[E]) => void;
}

const noMedia = (): never => {
  throw new FullhouseError('no-media', 'The fake engine has no media.');
};

/** The last host of a group does not respond. */
function groupFrom(settings: NodeSettings): Pick<NodeView, 'group'> {
  if (isOriginSettings(settings) || !settings.hosts) return {};
  const members = [...settings.hosts];
  const index = members.length - 1;
  const reason = 'connection refused; check that sshd is running.';
  return {
    group: { size: members.length, ready: index, members, missing: [{ index, name: members[index] ?? '', reason }] },
  };
}

type FleetCalls = Extract<
  EngineCallName,
  `nodes.${string}` | `capacity.${string}` | `player.${string}` | `vmaf.${string}`
>;

/** Delay between two probe results. */
const stepMs = 40;
const done = { done: true } as const;

/** A fleet whose probe results depend on the address; state lasts as long as the page. */
export function fleetHandlers({ nodes, change, push }: FakeFleet): Handlers<FleetCalls> {
  let timers: ReturnType<typeof setTimeout>[] = [];
  const trustedKeys = new Set<string>();
  const removed = new Map<string, { readonly node: NodeView; readonly place: number }>();

  const endProbe = (): void => {
    timers.forEach(clearTimeout);
    timers = [];
  };
  const play = (input: CallInput<'nodes.probe'>, steps: readonly ProbeStep[]): void => {
    const startedMs = Date.now() - 2100;
    timers = steps.map((step, index) =>
      setTimeout(
        () => push('probe', { probe: input.probe, address: input.address, startedMs, ...step }),
        stepMs * (index + 1),
      ),
    );
  };
  const find = (id: string): NodeView => {
    const found = nodes().find((node) => node.id === id);
    if (!found) throw new FullhouseError('no-node', `Unknown node "${id}".`);
    return found;
  };
  const replace = (id: string, by: NodeView): NodeView => {
    change(nodes().map((node) => (node.id === id ? by : node)));
    return by;
  };
  const kinds = (secrets: NodeSecrets): SecretKind[] => secretKinds.filter((kind) => secrets[kind]);
  const nodeFrom = ({ name, settings, secrets }: CallInput<'nodes.add'>, colourSlot: number): NodeView => ({
    id: name,
    name,
    role: isOriginSettings(settings) ? 'origin' : 'tester',
    server: isOriginSettings(settings) ? settings.server : undefined,
    colourSlot,
    state: 'starting',
    reach: 'test',
    host: name,
    streams: [],
    settings,
    secrets: kinds(secrets),
    ...groupFrom(settings),
  });

  return {
    'nodes.probe': (input) => {
      endProbe();
      if (input.address.includes(' ')) throw new FullhouseError('bad-address', "An address can't contain spaces.");
      play(input, probeSequence(input, trustedKeys));
      return done;
    },
    'nodes.probeEnd': () => {
      endProbe();
      return done;
    },
    'nodes.add': (input) => {
      const slot = Math.max(0, ...nodes().map((node) => node.colourSlot)) + 1;
      const added = nodeFrom(input, slot);
      change([...nodes(), added]);
      return added;
    },
    'nodes.edit': ({ node, name, settings, secrets }) => {
      if (isOriginSettings(settings) && settings.url === 'nonsense')
        throw new FullhouseError('bad-address', '"nonsense" is no address of an API.');
      const before = find(node);
      const kept = [...new Set([...(before.secrets ?? []), ...kinds(secrets)])].filter((kind) => secrets[kind] !== '');
      return replace(node, {
        ...before,
        id: name,
        name,
        settings,
        secrets: kept,
        problem: undefined,
        note: undefined,
        fix: undefined,
      });
    },
    'nodes.remove': ({ node }) => {
      const gone = find(node);
      removed.set(node, { node: gone, place: nodes().indexOf(gone) });
      change(nodes().filter(({ id }) => id !== node));
      return done;
    },
    'nodes.restore': ({ node }) => {
      const before = removed.get(node);
      if (!before)
        throw new FullhouseError('no-node', `The removal of "${node}" can no longer be undone; add the node again.`);
      removed.delete(node);
      const rest = [...nodes()];
      rest.splice(before.place, 0, before.node);
      change(rest);
      return before.node;
    },
    'nodes.reconnect': ({ node }) => {
      replace(node, { ...find(node), state: 'starting', problem: undefined, fix: undefined });
      return done;
    },
    'nodes.trustHostKey': ({ node, fingerprint }) => {
      trustedKeys.add(fingerprint);
      if (node) {
        const before = find(node);
        if (before.hostKey?.fingerprint !== fingerprint)
          throw new FullhouseError('bad-fingerprint', 'This is not the key to be confirmed.');
        replace(node, {
          ...before,
          state: 'starting',
          hostKey: undefined,
          problem: undefined,
          fix: undefined,
        });
      }
      return done;
    },
    'nodes.removeAgent': ({ node }) => ({
      remaining: find(node).name === 'tester-2' ? ['/home/qa/.cache/fullhouse (not empty)'] : [],
    }),
    'nodes.export': () => ({
      yaml: nodesToYaml(
        Object.fromEntries(
          nodes().flatMap(({ name, settings, builtIn }) => (settings && !builtIn ? [[name, settings]] : [])),
        ),
      ),
    }),
    'nodes.import': ({ yaml }) => {
      const names = [...yaml.matchAll(/^ {2}([\w.-]+):/gm)].map(([, name]) => name ?? '');
      const fresh = names.filter((name) => !nodes().some((node) => node.name === name));
      change([
        ...nodes(),
        ...fresh.map((name, index) =>
          nodeFrom(
            { name, settings: { server: 'generic', whep: 'http://10.0.0.9/whep/{stream}' }, secrets: {} },
            20 + index,
          ),
        ),
      ]);
      return {
        added: fresh,
        remarks: names
          .filter((name) => !fresh.includes(name))
          .map((name) => `"${name}" is there already and was left as it is.`),
      };
    },
    'nodes.streams': ({ node, filter, sortBy, descending, offset, limit }) => {
      const all = find(node).streams;
      const matching = all.filter(({ stream, source }) => `${stream} ${source}`.includes(filter));
      const key = (view: StreamView): number | string =>
        ({
          stream: view.stream,
          source: view.source,
          viewers: view.viewers ?? -1,
          degraded: view.degraded ?? -1,
          codec: view.videoCodec ?? '',
          size: (view.width ?? 0) * (view.height ?? 0),
          bitrate: view.bitrateKbps ?? -1,
          fps: view.fps ?? -1,
          nack: view.nacksPerSecond ?? -1,
          lost: view.lostPerSecond ?? -1,
          age: view.ageMs ?? -1,
        })[sortBy];
      const sorted = [...matching].sort((a, b) => (key(a) < key(b) ? -1 : 1) * (descending ? -1 : 1));
      return { total: all.length, matching: matching.length, streams: sorted.slice(offset, offset + limit) };
    },
    'nodes.terminate': ({ node, stream, filter }) => {
      const before = find(node);
      const ends = before.streams.filter((view) =>
        stream === undefined ? `${view.stream} ${view.source}`.includes(filter ?? '') : view.stream === stream,
      );
      const streams = before.streams.filter((view) => !ends.includes(view));
      replace(node, { ...before, streams, streamCount: streams.length });
      return { ended: ends.length, problems: [] };
    },
    'capacity.measure': ({ from, to, protocol, seconds }) => {
      const test = { id: 'capacity-1', from, to, protocol, seconds };
      setTimeout(() => push('capacity', { ...test, state: 'running', progress: 0.4, mbps: 900 }), stepMs);
      setTimeout(
        () => push('capacity', { ...test, state: 'done', progress: 1, mbps: 941, retransmits: 3 }),
        4 * stepMs,
      );
      return { id: test.id };
    },
    'capacity.cancel': () => done,
    'player.figures': () => done,
    'player.spotCheck': noMedia,
    'player.address': noMedia,
    'player.fetch': noMedia,
    'player.mediaClock': noMedia,
    'player.connect': noMedia,
    'player.send': noMedia,
    'player.disconnect': () => done,
    'vmaf.open': noMedia,
    'vmaf.frame': noMedia,
    'vmaf.measure': noMedia,
    'vmaf.cancel': () => done,
  };
}
