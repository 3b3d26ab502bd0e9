import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './command.mjs';
import { cacheFolder } from './paths.mjs';
import { readStamp, writeStamp } from './stamp.mjs';
import { checkGo } from './versions.mjs';

const version = 'v1.11.0';
const command = 'github.com/livekit/livekit-server/cmd/server';
const folder = join(cacheFolder, 'livekit');

/** The LiveKit server that tests start; nothing else uses it. */
export const livekitPath = join(
  folder,
  process.platform === 'win32' ? 'livekit-server.exe' : 'livekit-server',
);

/** Built from source, which a company's mirror serves like any other Go module. Kept until the version changes. */
export const livekit = {
  title: `LiveKit server ${version} for the tests (some minutes, once)`,
  isReady: () => existsSync(livekitPath) && readStamp('livekit') === version,
  async make() {
    await checkGo();
    mkdirSync(folder, { recursive: true });
    // A module of its own: the agent's has nothing to do with a server's dependencies.
    writeFileSync(join(folder, 'go.mod'), 'module fullhouse-test-livekit\n\ngo 1.24\n');
    const options = {
      cwd: folder,
      env: { CGO_ENABLED: '0', GOFLAGS: '-mod=mod' },
      timeoutMs: 1_200_000,
    };
    await mustRun('Fetching the LiveKit server', 'go', ['get', `${command}@${version}`], options);
    await mustRun(
      'Building the LiveKit server',
      'go',
      ['build', '-trimpath', '-ldflags', '-s -w', '-o', livekitPath, command],
      options,
    );
    writeStamp('livekit', version);
  },
};
