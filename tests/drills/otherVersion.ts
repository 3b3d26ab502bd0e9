import { mustRun } from '../../scripts/setup/command.mjs';
import { inRoot } from '../../scripts/setup/paths.mjs';

const version = '0.0.1';

/** Builds the agent of this clone as one of another version. */
export async function buildOtherVersion(program: string): Promise<{ readonly version: string }> {
  await mustRun(
    'Building an agent of another version',
    'go',
    ['build', '-trimpath', '-ldflags', `-s -w -X main.version=${version}`, '-o', program, './cmd/fullhouse-agent'],
    { cwd: inRoot('agent'), env: { CGO_ENABLED: '0' }, timeoutMs: 900_000 },
  );
  return { version };
}
