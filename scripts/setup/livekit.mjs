import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './command.mjs';
import { cacheFolder, inRoot } from './paths.mjs';
import { hashOf, readStamp, writeStamp } from './stamp.mjs';
import { checkGo } from './versions.mjs';

const server = 'github.com/livekit/livekit-server';
/** A separate module: the server's dependencies do not belong in the agent's. Its go.sum pins them all. */
const clientSource = inRoot('tests', 'integration', 'servers', 'livekitClient');
const version = readFileSync(join(clientSource, 'go.mod'), 'utf8').split(`${server} `)[1].split(/\s/)[0];
const folder = join(cacheFolder, 'livekit');
const program = (name) => join(folder, process.platform === 'win32' ? `${name}.exe` : name);

/** The LiveKit server that tests start, and a participant for it; used by tests only. */
export const livekitPath = program('livekit-server');
export const livekitClientPath = program('livekit-client');

const sources = () => hashOf([clientSource]);

/** Built from source, which any Go module mirror has. Rebuilt when version or client change. */
export const livekit = {
  title: `LiveKit server ${version} for the tests (some minutes, once)`,
  isReady: () => [livekitPath, livekitClientPath].every(existsSync) && readStamp('livekit') === sources(),
  async make() {
    await checkGo();
    const hash = sources();
    mkdirSync(folder, { recursive: true });
    const options = {
      cwd: clientSource,
      // A module missing in go.sum, or with another hash, is refused instead of recorded.
      env: { CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' },
      timeoutMs: 1_200_000,
    };
    // Other tests run meanwhile and have priority.
    const [starter, ...before] = process.platform === 'win32' ? ['go'] : ['nice', '-n', '19', 'go'];
    const build = (step, path, source) =>
      mustRun(
        step,
        starter,
        [...before, 'build', '-buildvcs=false', '-trimpath', '-ldflags', '-s -w', '-o', path, source],
        options,
      );
    await build('Building the LiveKit server', livekitPath, `${server}/cmd/server`);
    // Uses the same protocol library as the server.
    await build('Building its client', livekitClientPath, '.');
    writeStamp('livekit', hash);
  },
};
