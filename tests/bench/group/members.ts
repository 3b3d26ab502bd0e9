import { localAgentBinary, startLocalAgent } from '../../../src/engine/links/localAgent';
import { groupToken, startGroupAgents } from '../../standins/groupAgents';
import type { MemberAddress, MembersOrder } from './order';

/** The agents of a group, in a process of their own; prints their addresses in one line, and exits with its input. */
async function main({ size, agents }: MembersOrder): Promise<void> {
  const members: MemberAddress[] = [];
  const closing: Array<() => Promise<unknown>> = [];
  if (agents)
    // One after the other: the machine is small.
    for (let i = 0; i < size; i += 1) {
      const agent = await startLocalAgent({
        binary: localAgentBinary(agents.agentFolder),
        role: 'audience',
        args: ['--idle-timeout', '120s', '--samples', agents.samplesFolder],
      });
      members.push({ address: agent.listening.address, token: agent.token });
      closing.push(() => agent.end(undefined, true));
    }
  else {
    const simulated = await startGroupAgents(size);
    members.push(...simulated.addresses.map((address) => ({ address, token: groupToken })));
    closing.push(() => simulated.close());
  }
  console.log(JSON.stringify(members));
  process.stdin.resume();
  await new Promise((resolve) => process.stdin.once('end', resolve));
  await Promise.all(closing.map((close) => close()));
}

main(JSON.parse(process.argv[2] ?? '{}') as MembersOrder)
  .then(() => process.exit(0))
  .catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
