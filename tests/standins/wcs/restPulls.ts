import type { PullAgent, WcsNode } from './node';
import { startPull, startPush, type Terms } from './outgoing';
import { conflict, done, faulty, fits, listed, notFound, type RestArguments, type RestMethod } from './restAnswer';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `/pull`: streams from and to other servers. The node that receives the request is the active side. */
export function pullMethods(node: WcsNode): Record<string, RestMethod> {
  const agents = (): PullAgent[] => [...node.pulls.values()];
  const byRtmp = (agent: PullAgent): boolean => agent.uri.startsWith('rtmp');
  return {
    '/pull/pull': async (given) => {
      node.pullRequests += 1;
      const { failEvery, pullDelayMs } = node.conditions;
      if (pullDelayMs > 0) await pause(pullDelayMs);
      if (failEvery && node.pullRequests % failEvery.nth === 0) return { status: failEvery.status };
      const terms = termsOf(given);
      if (!terms) return faulty;
      const isTaken = agents().some(({ localStreamName }) => localStreamName === terms.localStreamName);
      if (isTaken || node.published(terms.localStreamName)) return conflict;
      if (terms.uri.startsWith('ws') && node.agentPorts().free === 0) return faulty;
      startPull(node, terms);
      return done;
    },
    '/pull/push': async (given) => {
      if (node.conditions.pullDelayMs > 0) await pause(node.conditions.pullDelayMs);
      const terms = termsOf(given);
      if (!terms || !node.published(terms.localStreamName)) return faulty;
      const isTaken = agents().some(
        (agent) =>
          agent.direction === 'push' && agent.uri === terms.uri && agent.remoteStreamName === terms.remoteStreamName,
      );
      if (isTaken) return conflict;
      if (node.agentPorts().free === 0) return faulty;
      startPush(node, terms);
      return done;
    },
    '/pull/find_all': () => listed(agents().map(pullObject)),
    '/pull/terminate': (given) => {
      const { localStreamName, remoteStreamName = null, uri = null } = given;
      if (typeof localStreamName !== 'string') return faulty;
      const found = agents().filter((agent) => fits(agent, { localStreamName, remoteStreamName, uri }));
      for (const agent of found) agent.close();
      return found.length > 0 ? done : notFound;
    },
    '/pull/rtmp/pull': (given) => {
      const { uri } = given;
      if (typeof uri !== 'string' || !uri.startsWith('rtmp')) return faulty;
      if (agents().some((agent) => agent.uri === uri)) return conflict;
      const localStreamName = typeof given.localStreamName === 'string' ? given.localStreamName : uri;
      startPull(node, { uri, localStreamName, remoteStreamName: '' });
      return done;
    },
    '/pull/rtmp/find_all': () => listed(agents().filter(byRtmp).map(pullObject)),
    '/pull/rtmp/terminate': ({ uri }) => {
      const found = agents().filter((agent) => byRtmp(agent) && agent.uri === uri);
      for (const agent of found) agent.close();
      return found.length > 0 ? done : notFound;
    },
  };
}

function termsOf({ uri, localStreamName, remoteStreamName }: RestArguments): Terms | undefined {
  if (typeof uri !== 'string' || !/^(wss?|rtmps?):\/\//.test(uri)) return undefined;
  if (typeof localStreamName !== 'string' || typeof remoteStreamName !== 'string') return undefined;
  return { uri, localStreamName, remoteStreamName };
}

function pullObject({ close: _close, direction: _direction, ...agent }: PullAgent): Record<string, unknown> {
  return agent;
}
