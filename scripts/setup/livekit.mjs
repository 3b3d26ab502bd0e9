import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './command.mjs';
import { cacheFolder, inRoot } from './paths.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';
import { checkGo } from './versions.mjs';

const server = 'github.com/livekit/livekit-server';
/** A module of its own: the agent's has nothing to do with a server's dependencies. Its go.sum pins them all. */
const clientSource = inRoot('tests', 'integration', 'servers', 'livekitClient');
const version = readFileSync(join(clientSource, 'go.mod'), 'utf8').split(`${server} `)[1].split(/\s/)[0];
const folder = join(cacheFolder, 'livekit');
const program = (name) => join(folder, process.platform === 'win32' ? `${name}.exe` : name);

/** The LiveKit server that tests start, and a participant for it; nothing else uses them. */
export const livekitPath = program('livekit-server');
export const livekitClientPath = program('livekit-client');

const sources = () => hashOf([clientSource]);

/** Built from source, which a company's mirror serves like any other Go module. Kept until version or client change. */
export const livekit = {
  title: `LiveKit server ${version} for the tests (some minutes, once)`,
  isReady: () => [livekitPath, livekitClientPath].every(existsSync) && readStamp('livekit') === sources(),
  async make() {
    await checkGo();
    const hash = sources();
    mkdirSync(folder, { recursive: true });
    const options = {
      cwd: clientSource,
      // What is not in go.sum, or has another hash there, is refused instead of recorded.
      env: { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' },
      timeoutMs: 1_200_000,
    };
    // Other tests run meanwhile: they go first.
    const [starter, ...before] = process.platform === 'win32' ? ['go'] : ['nice', '-n', '19', 'go'];
    const build = (step, path, source) =>
      mustRun(
        step,
        starter,
        [...before, 'build', '-buildvcs=false', '-trimpath', '-ldflags', '-s -w', '-o', path, source],
        options,
      );
    await build('Building the LiveKit server', livekitPath, `${server}/cmd/server`);
    // Speaks with the server by the very library that the server is made of.
    await build('Building its client', livekitClientPath, '.');
    writeStamp('livekit', hash);
  },
};
