import { mustRun } from '../../../../scripts/setup/command.mjs';
import { inRoot } from '../../../../scripts/setup/paths.mjs';
import { agentPath } from '../../../../scripts/setup/agent.mjs';
import { SetupProblem } from '../../../../scripts/setup/problem.mjs';
import { ensureReady } from '../../../../scripts/setup.mjs';

const built = inRoot('build', '.cache', 'audience-bench');

/** Builds the agent and the bench's own programs, unless others are given: `{ agent, programs }`, their paths. */
export async function programsOf({ agent, programs }) {
  if (process.platform !== 'linux')
    throw new SetupProblem('This benchmark uses /proc and recvmmsg, which require Linux.');
  await ensureReady(agent ? ['dependencies'] : ['dependencies', 'agent']);
  if (!programs)
    await mustRun('Building the programs of the benchmark', 'go', ['build', '-o', built, './cmd/audience-bench'], {
      cwd: inRoot('agent'),
      timeoutMs: 600_000,
    });
  return { agent: agent ?? agentPath, programs: programs ?? built };
}
