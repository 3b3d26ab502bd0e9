import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtInChartIds } from '../../../domain/model/chartIds';
import { exporterFamilies } from '../../../domain/model/imported';
import { publishProtocols } from '../../../domain/model/node';
import { pullProtocols } from '../../../domain/model/protocols';
import { secretKinds, testerKinds } from '../../../domain/model/nodeSettings';
import { serverFamilies } from '../../../domain/model/serverFamilies';
import { seriesDefinition, seriesDefinitions } from '../../../domain/series/series';
import { testView } from '../../../../tests/support/savedRun';
import { savedView } from './run';
import { migrated } from './steps';

/**
 * Every name that a run file may contain, of the lists that grow with the product, by the format that it was saved in. A
 * new name is added to the newest file; a renamed one stays where it is and needs a step, and the new name goes to
 * `names-N.json` of the new format.
 */
const folder = join(import.meta.dirname, '../../../../tests/fixtures/runs');
const saved = readdirSync(folder).flatMap((file) => {
  const [, format] = /^names-(\d+)\.json$/.exec(file) ?? [];
  if (format === undefined) return [];
  const lists = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string[]>;
  return Object.entries(lists).flatMap(([list, names]) =>
    names.map((name) => ({ list, name, format: Number(format) })),
  );
});

/** The lists as they are now. */
const current: Readonly<Record<string, readonly string[]>> = {
  charts: builtInChartIds,
  exporters: exporterFamilies,
  playProtocols: pullProtocols,
  publishProtocols,
  pullProtocols,
  secrets: secretKinds,
  series: Object.keys(seriesDefinitions),
  servers: serverFamilies,
  testers: testerKinds,
};

/** A view with the name where runs have it. */
const views: Readonly<Record<string, (name: string) => object>> = {
  charts: (name) => ({ layout: { layout: { order: [name], custom: [], hidden: [], folded: [] } } }),
  exporters: (name) => ({ imported: imported(name) }),
  playProtocols: (name) => ({ nodes: [{ ...node, can: { ...can, play: [name], serves: [name], pull: [name] } }] }),
  publishProtocols: (name) => ({ nodes: [{ ...node, can: { ...can, publish: [name] } }] }),
  pullProtocols: (name) => ({ plan: { ...plan, pull: { ...plan.pull, protocol: name } } }),
  secrets: (name) => ({ nodes: [{ ...node, secrets: [name] }] }),
  series: (name) => ({ plan: { ...plan, thresholds: [{ series: name, comparison: '<=', value: 1 }] } }),
  servers: (name) => ({ nodes: [{ ...node, server: name, settings: { server: name } }] }),
  testers: (name) => ({ nodes: [{ ...node, settings: { tester: name } }] }),
};
const { plan, nodes } = testView('names');
const [node] = nodes;
const can = { publish: [], pull: [], play: [], serves: [], measure: [], terminate: true };
const imported = (family: string): object => ({
  prometheus: 'http://192.0.2.1:9090',
  fromMs: 1,
  toMs: 2,
  stepMs: 1000,
  nodes: [{ name: 'origin', role: 'origin', targets: [{ family, labels: {} }] }],
  missing: [],
});

it.each(Object.entries(current))('names of %s are listed', (list, names) => {
  const listed = new Set(saved.filter((each) => each.list === list).map(({ name }) => name));
  const missing = names.filter((name) => !listed.has(name));
  expect(missing, `Add these to the list "${list}" of the newest tests/fixtures/runs/names-N.json.`).toEqual([]);
});

it.each(saved)('$name of $list is read from a run file of format $format', ({ list, name, format }) => {
  const value = JSON.stringify({ ...testView('names'), ...views[list]?.(name) });
  const view = savedView.parse(JSON.parse(String(migrated('meta', ['view', value], format)[1])));
  if (list === 'charts') expect(view.layout).toBeDefined();
  if (list === 'series')
    expect(seriesDefinition(String(migrated('series', [1, 'origin', name], format)[2]))).toBeDefined();
});
