import type { AgentLink } from '../../../src/engine/links/agentLink';
import { localAgentBinary, startLocalAgent } from '../../../src/engine/links/localAgent';
import { openAgentLink } from '../../../src/engine/links/webSocketLink';
import { agentFolder, later, samplesFolder } from '../support';

/** A lab of its own, with its HTTP address. */
export async function startLab(): Promise<{ base: string; link: AgentLink }> {
  const agent = await startLocalAgent({
    binary: localAgentBinary(agentFolder),
    role: 'lab',
    args: ['--samples', samplesFolder],
  });
  later(async () => void (await agent.end(undefined, true)));
  const link = await openAgentLink({
    address: () => agent.listening.address,
    token: agent.token,
    who: 'The lab',
    version: '0.1.0',
  });
  later(() => link.close());
  return { base: `http://${link.hello.http ?? ''}`, link };
}
