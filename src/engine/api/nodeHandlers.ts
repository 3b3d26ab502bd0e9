import { eachOf } from '../base/eachOf';
import { parseNodes, nodesToYaml, PlanError } from '../../domain/plan/planYaml';
import { FullhouseError, type Handlers } from '../../contract/calls';
import type { nodeCalls, secretCalls } from '../../contract/nodeCalls';
import type { FleetNode } from '../fleet/node';
import { sameSettings } from '../../domain/node/sameSettings';
import { TesterGroup } from '../fleet/group/testerGroup';
import { SshTester } from '../fleet/sshTester';
import { WcsTester } from '../fleet/wcsTester';
import { matchingStreams, sortedStreams } from '../fleet/streamsWindow';
import { nodeOf, type HandlerParts } from './handlerParts';

const done = { done: true } as const;
/** Streams terminated at once: more requests would be load in themselves. */
const endingAtOnce = 8;

/** Implements the calls about nodes. */
export function makeNodeHandlers(parts: HandlerParts): Handlers<keyof typeof nodeCalls | keyof typeof secretCalls> {
  const { fleet, probes, capacity, secrets, runManager } = parts;

  const requireIdle = (node: FleetNode, what: string): void => {
    if ((runManager.activeRun?.namesOf(node).length ?? 0) > 0)
      throw new FullhouseError('in-use', `${node.id} is part of the active run; stop the run before you ${what} it.`);
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
      parts.nodesChanged();
      return node.view();
    },
    'nodes.edit': async ({ node: id, name, settings, secrets: given }) => {
      requireIdle(fleet.remote(id), 'change');
      const node = await fleet.edit(id, name, settings, given);
      parts.nodesChanged();
      return node.view();
    },
    'nodes.remove': async ({ node: id }) => {
      requireIdle(fleet.remote(id), 'remove');
      await fleet.remove(id);
      parts.nodesChanged();
      return done;
    },
    'nodes.restore': ({ node: id }) => {
      const node = fleet.restore(id);
      parts.nodesChanged();
      return node.view();
    },
    'nodes.reconnect': ({ node }) => {
      fleet.remote(node).reconnect();
      return done;
    },
    'nodes.trustHostKey': ({ node, probe, fingerprint }) => {
      if (node !== undefined) fleet.remote(node).trustHostKey(fingerprint);
      else if (probe !== undefined) probes.trust(probe, fingerprint);
      else throw new FullhouseError('bad-input', 'Specify the node or probe of this host key.');
      return done;
    },
    'nodes.removeAgent': async ({ node: id }) => {
      const node = fleet.remote(id);
      requireIdle(node, 'remove the agent from');
      if (node instanceof WcsTester) return { remaining: await node.removeLeftovers() };
      if (node instanceof TesterGroup) return { remaining: await node.removeAgent() };
      if (!(node instanceof SshTester)) throw new FullhouseError('no-agent', `${id} has no installed agent.`);
      return { remaining: await node.removeAgent() };
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
          remarks.push(`${name} exists already${same ? '' : ' with other settings'} and is unchanged.`);
          continue;
        }
        try {
          fleet.add(name, settings, {});
          added.push(name);
        } catch (error) {
          remarks.push(`${name}: ${(error as Error).message}`);
        }
      }
      parts.nodesChanged();
      return { added, remarks };
    },

    'nodes.streams': ({ node, filter, sortBy, descending, offset, limit }) => {
      const { streams } = nodeOf(parts, node);
      const matching = matchingStreams(streams, filter);
      return {
        total: streams.length,
        matching: matching.length,
        streams: sortedStreams(matching, sortBy, descending).slice(offset, offset + limit),
      };
    },
    'nodes.terminate': async ({ node: name, stream, filter }) => {
      const node = nodeOf(parts, name);
      const names =
        stream !== undefined ? [stream] : matchingStreams(node.streams, filter ?? '').map((stream) => stream.stream);
      const problems: string[] = [];
      let ended = 0;
      await eachOf(names, endingAtOnce, async (name) => {
        try {
          await node.server.terminate(name);
          ended += 1;
        } catch (error) {
          problems.push(`${name}: ${(error as Error).message}`);
        }
      });
      return { ended, problems };
    },

    'capacity.measure': (order) => ({ id: capacity.start(order) }),
    'capacity.cancel': ({ id }) => {
      capacity.cancel(id);
      return done;
    },

    'secrets.name': async ({ name, value }) => {
      secrets.name(name, value);
      await fleet.resolveAgain();
      parts.nodesChanged();
      return done;
    },
    'secrets.restore': async ({ secrets: kept, named }) => {
      secrets.restore(kept, named);
      if (named) await fleet.resolveAgain();
      // Links that were refused for lack of a secret retry with it.
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
