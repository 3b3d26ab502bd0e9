import { describe, expect, it } from 'vitest';
import type { RunSummary } from '../../domain/run';
import { takeDropped } from './droppedFile';

async function drop(name: string, run?: string, text = 'nodes: {}'): Promise<string[]> {
  const done: string[] = [];
  await takeDropped(new File([text], name), {
    showNodes: () => void done.push('show nodes'),
    importNodes: () => Promise.resolve(done.push('import nodes')),
    importRun: () => Promise.resolve(run === undefined ? undefined : ({ id: run } as RunSummary)),
    openRun: (id) => Promise.resolve(void done.push(`open ${id}`)),
    openPlan: (yaml) => void done.push(`plan ${yaml}`),
    problem: (sentence) => void done.push(sentence),
  });
  return done;
}

describe('a file that is dropped on the window', () => {
  it('is a list of nodes, which come into view', async () => {
    expect(await drop('fleet.yaml')).toEqual(['show nodes', 'import nodes']);
    expect(await drop('fleet.YML')).toEqual(['show nodes', 'import nodes']);
  });

  it('is a plan, which opens as its text', async () => {
    expect(await drop('p.yaml', undefined, 'nodes: {}\npull: {}')).toEqual(['plan nodes: {}\npull: {}']);
  });

  it('is a run, which is opened unless it could not be read', async () => {
    expect(await drop('a.fullhouse', 'run-1')).toEqual(['open run-1']);
    expect(await drop('a.fullhouse')).toEqual([]);
  });

  it('is refused when it is neither', async () => {
    const [sentence] = await drop('holiday.jpg');
    expect(sentence).toContain('"holiday.jpg" is neither a run nor a plan nor a list of nodes');
  });
});
