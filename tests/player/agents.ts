import { join } from 'node:path';
import type { AgentLink } from '../../src/engine/links/agentLink';
import { localAgentBinary, startLocalAgent } from '../../src/engine/links/localAgent';
import { openAgentLink } from '../../src/engine/links/webSocketLink';

export const root = join(__dirname, '..', '..');

export interface Agent {
  readonly link: AgentLink;
  end(): Promise<void>;
}

/** An agent of this machine in this role. */
export async function agentOf(role: 'lab' | 'audience', args: readonly string[] = []): Promise<Agent> {
  const agent = await startLocalAgent({ binary: localAgentBinary(join(root, 'build', 'agents')), role, args });
  const { token, listening } = agent;
  const link = await openAgentLink({ address: () => listening.address, token, who: `The ${role}`, version: '0.1.0' });
  return {
    link,
    end: async () => {
      link.close();
      await agent.end(undefined, true);
    },
  };
}
