import { existsSync, mkdirSync } from 'node:fs';
import { mustRun } from './command.mjs';
import { inRoot } from './paths.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';
import { checkGo } from './versions.mjs';

const goArch = { x64: 'amd64', arm64: 'arm64' };
const goSystem = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const file = process.platform === 'win32' ? 'fullhouse-agent.exe' : 'fullhouse-agent';
const target = `${process.platform}-${process.arch}`;

/** Where the agent for this machine lies; packaging ships the whole `build/agents`. */
export const agentPath = inRoot('build', 'agents', target, file);

const sources = () =>
  hashOf([inRoot('agent')], {
    extra: target,
    accept: (path) => !path.endsWith('_test.go') && !path.includes('testdata'),
  });

export const agent = {
  title: 'agent',
  isReady: () => existsSync(agentPath) && readStamp('agent') === sources(),
  async make() {
    await checkGo();
    const hash = sources();
    mkdirSync(inRoot('build', 'agents', target), { recursive: true });
    // Static and without paths of the building machine, since it is copied to other machines.
    await mustRun(
      'Building the agent',
      'go',
      ['build', '-trimpath', '-ldflags', '-s -w', '-o', agentPath, './cmd/fullhouse-agent'],
      {
        cwd: inRoot('agent'),
        env: {
          CGO_ENABLED: '0',
          GOOS: goSystem[process.platform] ?? process.platform,
          GOARCH: goArch[process.arch] ?? process.arch,
        },
        timeoutMs: 900_000,
      },
    );
    writeStamp('agent', hash);
  },
};
