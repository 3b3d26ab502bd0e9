import type { SipAgent, WcsNode } from './node';
import { conflict, done, faulty, listed, notFound, type RestArguments, type RestMethod } from './restAnswer';

/** `/api`: SIP agents of a node. They are stored in the form that Console lists; nothing is registered. */
export function sipMethods(node: WcsNode): Record<string, RestMethod> {
  let lastId = 0;
  const agents = (): SipAgent[] => [...node.sipAgents.values()];
  return {
    '/api/create-session': (given) => {
      if (typeof given.sipLogin !== 'string') return faulty;
      if (agents().some(({ connection }) => connection.sipLogin === given.sipLogin)) return conflict;
      lastId += 1;
      const id = lastId;
      const { sipPassword: _secret, ...connection } = given;
      node.sipAgents.set(id, { id, connection, calls: [] });
      return done;
    },
    '/api/find_all': () => listed(agents()),
    '/api/terminate': ({ sipLogin }) => {
      const found = agents().filter(({ connection }) => connection.sipLogin === sipLogin);
      for (const { id } of found) node.sipAgents.delete(id);
      return found.length > 0 ? done : notFound;
    },
    '/api/call': (given) => {
      const agent = agentOf(node, given);
      if (!agent) return notFound;
      agent.calls.push({ ...given, status: 'ESTABLISHED' });
      return done;
    },
    '/api/hangup': (given) => {
      const agent = agentOf(node, given);
      const index = agent?.calls.findIndex(({ callId }) => callId === given.callId) ?? -1;
      if (!agent || index < 0) return notFound;
      agent.calls.splice(index, 1);
      return done;
    },
  };
}

function agentOf(node: WcsNode, { wcsCallAgentId }: RestArguments): SipAgent | undefined {
  return node.sipAgents.get(Number(wcsCallAgentId));
}
