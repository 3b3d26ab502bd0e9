import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../setup/paths.mjs';
import { testParts } from './parts.mjs';
import { dependencies, partsOfChange, pathsOfPart } from './partsOfChange.mjs';

const added = (...paths) => partsOfChange(paths).map(({ part }) => part);

describe('the parts that a change adds to the gate', () => {
  it('are none for what the gate tests completely', () => {
    expect(added()).toEqual([]);
    expect(added('README.md', 'docs/plans.md', 'src/domain/text/numberFormat.ts', 'src/cli/run/runPlan.ts')).toEqual(
      [],
    );
  });

  it('are those of the changed server family, with a path as the reason', () => {
    expect(partsOfChange(['README.md', 'src/engine/servers/wcs/restApi.ts'])).toEqual([
      { part: 'wcs', path: 'src/engine/servers/wcs/restApi.ts' },
    ]);
    expect(added('src/engine/servers/polledServer.ts')).toEqual(['livekit', 'wcs', 'srs', 'rtmp', 'openvidu']);
    expect(added('agent/internal/rtmp/play/play.go')).toEqual(['rtmp']);
  });

  it('are those whose tests changed', () => {
    expect(added('tests/integration/livekitPull.test.ts')).toEqual(['livekit']);
    expect(added('tests/player/hlsServer.ts')).toEqual(['player']);
    expect(added('tests/kubernetes/run.test.ts')).toEqual(['kubernetes']);
  });

  it.each(['package-lock.json', 'vitest.config.mts', 'scripts/setup/agent.mjs', 'agent/go.sum'])(
    'are all for %s, but for Kubernetes, which is built for many minutes',
    (path) => {
      expect(added(path)).toEqual(Object.keys(dependencies).filter((part) => part !== 'kubernetes'));
    },
  );

  it('are exactly the parts of the ring "changed"', () => {
    const ring = Object.keys(testParts).filter((name) => testParts[name].ring === 'changed');
    expect(Object.keys(dependencies).sort()).toEqual(ring.sort());
  });

  it('depend on paths that exist', () => {
    const isThere = (start) => {
      const folder = start.slice(0, start.lastIndexOf('/') + 1);
      const name = start.slice(folder.length);
      return existsSync(inRoot(folder)) && readdirSync(inRoot(folder)).some((each) => each.startsWith(name));
    };
    const missing = Object.keys(dependencies).flatMap((part) =>
      pathsOfPart(part)
        .filter((start) => !isThere(start))
        .map((start) => `${part}: ${start}`),
    );
    expect(missing).toEqual([]);
  });
});
