import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './command.mjs';
import { cacheFolder, inRoot } from './paths.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';
import { checkGo } from './versions.mjs';

const version = 'v1.11.0';
const command = 'github.com/livekit/livekit-server/cmd/server';
const clientSource = inRoot('tests', 'integration', 'servers', 'livekitClient');
const folder = join(cacheFolder, 'livekit');
const program = (name) => join(folder, process.platform === 'win32' ? `${name}.exe` : name);

/** The LiveKit server that tests start, and a participant for it; nothing else uses them. */
export const livekitPath = program('livekit-server');
export const livekitClientPath = program('livekit-client');

const sources = () => hashOf([clientSource], { extra: version });

/** Built from source, which a company's mirror serves like any other Go module. Kept until version or client change. */
export const livekit = {
  title: `LiveKit server ${version} for the tests (some minutes, once)`,
  isReady: () => [livekitPath, livekitClientPath].every(existsSync) && readStamp('livekit') === sources(),
  async make() {
    await checkGo();
    const hash = sources();
    mkdirSync(folder, { recursive: true });
    // A module of its own: the agent's has nothing to do with a server's dependencies.
    writeFileSync(join(folder, 'go.mod'), 'module fullhouse-test-livekit\n\ngo 1.24\n');
    const options = {
      cwd: folder,
      env: { CGO_ENABLED: '0', GOFLAGS: '-mod=mod' },
      timeoutMs: 1_200_000,
    };
    // Other tests run meanwhile: they go first.
    const [starter, ...before] = process.platform === 'win32' ? ['go'] : ['nice', '-n', '19', 'go'];
    const go = (step, ...args) => mustRun(step, starter, [...before, ...args], options);
    const build = (step, path, source) =>
      go(step, 'build', '-trimpath', '-ldflags', '-s -w', '-o', path, source);
    await go('Fetching the LiveKit server', 'get', `${command}@${version}`);
    await build('Building the LiveKit server', livekitPath, command);
    // Speaks with the server by the very library that the server is made of.
    await build('Building its client', livekitClientPath, join(clientSource, 'main.go'));
    writeStamp('livekit', hash);
  },
};
