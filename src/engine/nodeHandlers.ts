import { parseNodes, nodesToYaml, PlanError } from '../domain/plan/planYaml';
import { FullhouseError, type Handlers } from '../contract/calls';
import type { nodeCalls, secretCalls } from '../contract/nodeCalls';
import type { CapacityTests } from './fleet/capacityTests';
import type { Fleet } from './fleet/fleet';
import type { FleetNode } from './fleet/node';
import type { Probes } from './fleet/probe/probes';
import type { SecretBox } from './fleet/secretBox';
import { sameSettings } from '../domain/sameSettings';
import { SshTester } from './fleet/sshTester';
import { WcsTester } from './fleet/wcsTester';
import { matchingStreams, sortedStreams } from './fleet/streamsWindow';
import { playableAddress, fetchForPlayer } from './fleet/playerMedia';
import type { Conductor } from './runs/conductor';

export interface NodeHandlerParts {
  readonly fleet: Fleet;
  readonly probes: Probes;
  readonly capacity: CapacityTests;
  readonly secrets: SecretBox;
  readonly conductor: Conductor;
  /** A node by its name in the run under way, or by its id. */
  readonly nodeOf: (name: string) => FleetNode;
  /** The fleet is not what it was. */
  readonly changed: () => void;
}

const done = { done: true } as const;
/** Streams ended at once: more requests than this would be load of our own making. */
const endingAtOnce = 8;

/** What the engine does for each call about nodes. */
export function makeNodeHandlers(
  parts: NodeHandlerParts,
): Handlers<keyof typeof nodeCalls | keyof typeof secretCalls> {
  const { fleet, probes, capacity, secrets, conductor, nodeOf } = parts;

  const requireIdle = (node: FleetNode, what: string): void => {
    if ((conductor.underWay?.namesOf(node).length ?? 0) > 0)
      throw new FullhouseError(
        'in-use',
        `${node.id} is part of the run under way; stop the run before you ${what} it.`,
      );
  };

  return {
    'nodes.probe': (order) => {
      probes.start(order);
      return done;
    },
    'nodes.probeEnd': ({ probe }) => {
      probes.end(probe);
      return done;
    },
    'nodes.add': ({ name, settings, secrets: given }) => {
      const node = fleet.add(name, settings, given);
      parts.changed();
      return node.view();
    },
    'nodes.edit': async ({ node: id, name, settings, secrets: given }) => {
      requireIdle(fleet.remote(id), 'change');
      const node = await fleet.edit(id, name, settings, given);
      parts.changed();
      return node.view();
    },
    'nodes.remove': async ({ node: id }) => {
      requireIdle(fleet.remote(id), 'remove');
      await fleet.remove(id);
      parts.changed();
      return done;
    },
    'nodes.restore': ({ node: id }) => {
      const node = fleet.restore(id);
      parts.changed();
      return node.view();
    },
    'nodes.reconnect': ({ node }) => {
      fleet.remote(node).reconnect();
      return done;
    },
    'nodes.trustHostKey': ({ node, probe, fingerprint }) => {
      if (node !== undefined) fleet.remote(node).trustHostKey(fingerprint);
      else if (probe !== undefined) probes.trust(probe, fingerprint);
      else throw new FullhouseError('bad-input', 'Say which node or probe asks about the key.');
      return done;
    },
    'nodes.removeAgent': async ({ node: id }) => {
      const node = fleet.remote(id);
      requireIdle(node, 'take the agent from');
      if (node instanceof WcsTester) return { left: await node.removeLeftovers() };
      if (!(node instanceof SshTester))
        throw new FullhouseError('no-agent', `${id} has no agent that was brought there.`);
      return { left: await node.removeAgent() };
    },
    'nodes.export': () => ({ yaml: nodesToYaml(fleet.settings()) }),
    'nodes.import': ({ yaml }) => {
      const nodes = readNodes(yaml);
      const added: string[] = [];
      const remarks: string[] = [];
      for (const [name, settings] of Object.entries(nodes)) {
        const known = fleet.find(name);
        if (known) {
          const same = sameSettings(fleet.writtenOf(known), settings);
          remarks.push(`${name} is there already${same ? '' : ' with other settings'} and stays as it is.`);
          continue;
        }
        try {
          fleet.add(name, settings, {});
          added.push(name);
        } catch (error) {
          remarks.push(`${name}: ${(error as Error).message}`);
        }
      }
      parts.changed();
      return { added, remarks };
    },

    'nodes.streams': ({ node, filter, sortBy, descending, offset, limit }) => {
      const { streams } = nodeOf(node);
      const matching = matchingStreams(streams, filter);
      return {
        total: streams.length,
        matching: matching.length,
        streams: sortedStreams(matching, sortBy, descending).slice(offset, offset + limit),
      };
    },
    'nodes.terminate': async ({ node: name, stream, filter }) => {
      const node = nodeOf(name);
      const names =
        stream !== undefined
          ? [stream]
          : matchingStreams(node.streams, filter ?? '').map((each) => each.stream);
      const problems: string[] = [];
      let ended = 0;
      const waiting = [...names];
      const work = async (): Promise<void> => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          try {
            await node.server.terminate(next);
            ended += 1;
          } catch (error) {
            problems.push(`${next}: ${(error as Error).message}`);
          }
      };
      await Promise.all(Array.from({ length: endingAtOnce }, work));
      return { ended, problems };
    },

    'capacity.measure': (order) => ({ id: capacity.start(order) }),
    'capacity.cancel': ({ id }) => {
      capacity.cancel(id);
      return done;
    },
    'player.address': ({ node, stream }) => playableAddress(nodeOf(node), stream),
    'player.fetch': ({ node, url }) => fetchForPlayer(nodeOf(node), url),

    'secrets.name': async ({ name, value }) => {
      secrets.name(name, value);
      await fleet.resolveAgain();
      parts.changed();
      return done;
    },
    'secrets.restore': async ({ secrets: kept, named }) => {
      secrets.restore(kept, named);
      if (named) await fleet.resolveAgain();
      // Links that were refused for want of a secret try again with it.
      for (const name of Object.keys(kept)) {
        const node = fleet.find(name);
        if (node && node.state !== 'live' && 'reconnect' in node) fleet.remote(name).reconnect();
      }
      return done;
    },
  };
}

function readNodes(yaml: string): ReturnType<typeof parseNodes> {
  try {
    return parseNodes(yaml);
  } catch (error) {
    if (error instanceof PlanError) throw new FullhouseError('bad-fleet', error.message);
    throw error;
  }
}
