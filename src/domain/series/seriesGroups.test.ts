import { expect, it } from 'vitest';
import { namedSeries, searchedGroups, seriesGroups } from './seriesGroups';

it('groups series by source, sorted by title, cores by their number', () => {
  const groups = seriesGroups([
    'viewersFailed',
    'cpuCorePercent:10',
    'cpuCorePercent:2',
    'originInMbps',
    'server:ports_media_free',
    'gcPauseMs',
    'playerFreezes',
    'cpuPercent',
    'cpuPercent',
    'noSuchSeries',
  ]);
  expect(groups.map(({ title, series }) => [title, series.map(({ id }) => id)])).toEqual([
    ['Host', ['cpuPercent', 'cpuCorePercent:2', 'cpuCorePercent:10']],
    ['Process', ['gcPauseMs']],
    ['Origin', ['originInMbps', 'server:ports_media_free']],
    ['Viewers', ['viewersFailed']],
    ['Player', ['playerFreezes']],
  ]);
});

it('lists every named series once', () => {
  const listed = seriesGroups(namedSeries).flatMap(({ series }) => series.map(({ id }) => id));
  expect([...listed].sort()).toEqual([...namedSeries].sort());
});

it('searches all words in title, name, unit and group', () => {
  const groups = seriesGroups(namedSeries);
  const found = (search: string): string[] =>
    searchedGroups(groups, search).flatMap(({ series }) => series.map(({ id }) => id));
  expect(found('media in viewers mbit')).toEqual(['mediaInMbps']);
  expect(found('rttp95').sort()).toEqual(['publishRttP95Ms', 'rttP95Ms']);
  expect(found('GC ms')).toEqual(['gcPauseMs']);
  expect(found('no such thing')).toEqual([]);
  expect(searchedGroups(groups, '  ')).toBe(groups);
});
