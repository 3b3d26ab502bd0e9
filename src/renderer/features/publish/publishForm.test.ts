import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import { publisherGroups } from '../../../domain/model/publisherGroup';
import { parsePlan, planToYaml } from '../../../domain/plan/planYaml';
import {
  cameraProblem,
  needsSender,
  offeredSources,
  publishersPlan,
  publishTargets,
  pushedProblem,
  readPublishers,
  readPublishersHold,
  senders,
  sourceProblem,
} from './publishForm';

const can = { publish: [], pull: [], play: [], serves: [], measure: [], terminate: false } as const;
const lab: NodeView = {
  id: 'lab',
  name: 'lab',
  role: 'origin',
  server: 'lab',
  builtIn: true,
  settings: { server: 'lab' },
  colourSlot: 1,
  state: 'idle',
  reach: 'this machine',
  host: 'me',
  streams: [],
};
const srs: NodeView = {
  ...lab,
  id: 'srs',
  name: 'srs',
  server: 'srs',
  builtIn: false,
  settings: { server: 'srs' },
  can: { ...can, publish: ['whip', 'rtmp'] },
};
const nginx: NodeView = {
  ...srs,
  id: 'nginx',
  name: 'nginx',
  server: 'nginx-rtmp',
  can: { ...can, publish: ['rtmp'] },
};
const mute: NodeView = { ...srs, id: 'mute', can };
const local: NodeView = {
  ...lab,
  id: 'local',
  role: 'tester',
  server: undefined,
  settings: { tester: 'local' },
};
const remote: NodeView = {
  ...local,
  id: 'tester-1',
  builtIn: false,
  settings: { tester: 'ssh', ssh: 'qa@a' },
};
const wcs: NodeView = { ...remote, id: 'wcs', settings: { tester: 'wcs', url: 'http://a' } };

describe('publishing', () => {
  it('targets nodes that accept a stream, those of this machine last', () => {
    expect(publishTargets([lab, mute, srs, nginx, local]).map(({ id }) => id)).toEqual(['srs', 'nginx', 'lab']);
  });

  it('has an agent send the sample where no lab generates it', () => {
    expect([needsSender(lab), needsSender(srs)]).toEqual([false, true]);
    expect(senders([lab, remote, wcs, { ...remote, id: 'off', state: 'failed' }, local]).map(({ id }) => id)).toEqual([
      'local',
      'tester-1',
    ]);
    expect(sourceProblem(srs, 'sample-240p', [])).toContain('No tester available');
    expect(sourceProblem(lab, 'sample-240p', [])).toBeUndefined();
  });

  it('offers the sources of WCS where there is one', () => {
    const origin: NodeView = { ...srs, can: { ...can, publish: ['rtmp'], capture: true } };
    expect(offeredSources(srs, [local])).toEqual(['sample-240p', 'pattern', 'camera', 'screen', 'window', 'file']);
    expect(offeredSources(origin, [local, wcs]).slice(6)).toEqual(['stream', 'rtsp']);
    expect(senders([local, wcs], 'stream').map(({ id }) => id)).toEqual(['wcs']);
    expect(sourceProblem({ ...srs, can: { ...can, publish: ['whip'] } }, 'stream', [])).toContain('over RTMP');
    expect(sourceProblem(nginx, 'stream', [])).toBeUndefined();
    expect(cameraProblem('rtsp://camera/1')).toBeUndefined();
    expect(cameraProblem('http://camera/1')?.sentence).toContain('rtsp://');
    expect(cameraProblem('rtsp://admin:secret@camera/1')?.sentence).toContain('password');
    expect([pushedProblem('own'), pushedProblem('')?.path]).toEqual([undefined, 'publish.source']);
  });

  it('offers sources of the window only for targets that take a protocol of it', () => {
    for (const target of [srs, lab, nginx]) expect(sourceProblem(target, 'camera', [local])).toBeUndefined();
    expect(sourceProblem(mute, 'screen', [local])).toBe(
      'Publishing from the window needs WHIP, WCS, LiveKit, RTMP or SRT, none of which srs supports.',
    );
    expect(sourceProblem(nginx, 'sample-240p', [local])).toBeUndefined();
  });
});

it('reads the number of publishers and their rate', () => {
  expect(readPublishers('1', '')).toEqual({});
  expect(readPublishers('1,500', '20')).toEqual({ publishers: 1500, ratePerSecond: 20 });
  for (const [count, rate] of [
    ['0', '20'],
    ['2001', '20'],
    ['many', '20'],
    ['2', '0'],
    ['2', ''],
  ] as const)
    expect(readPublishers(count, rate).problem?.path).toBe('publish.publishers');
});

describe('publishers as a run', () => {
  const base = { colourSlot: 1, state: 'live', reach: '', host: 'here', streams: [] } as const;
  const origin: NodeView = {
    ...base,
    id: 'o',
    name: 'lab',
    role: 'origin',
    server: 'lab',
    settings: { server: 'lab' },
  };
  const tester: NodeView = { ...base, id: 't', name: 'here', role: 'tester', settings: { tester: 'local' } };

  it('have a hold with a unit, or none', () => {
    expect(readPublishersHold(' ')).toEqual({});
    expect(readPublishersHold('2 min')).toEqual({ holdMs: 120_000 });
    expect(readPublishersHold('until stopped')).toEqual({ holdMs: 0 });
    expect(readPublishersHold('60').problem?.sentence).toContain('Enter a hold with its unit');
  });

  it('make a plan that its text describes too', () => {
    const load = { stream: 'cam', publishers: 50, ratePerSecond: 10, holdMs: 60_000 };
    const plan = publishersPlan(origin, tester, load);
    expect(parsePlan(planToYaml(plan)).plan).toEqual(plan);
    expect(publisherGroups(plan)).toMatchObject([{ publishers: 50, holdMs: 60_000 }]);
  });
});
