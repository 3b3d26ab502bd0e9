import { describe, expect, it } from 'vitest';
import type { ImportedRun } from '../../contract/snapshotCalls';
import { handleDroppedFile } from './droppedFile';

async function drop(name: string, run?: string, text = 'nodes: {}'): Promise<string[]> {
  const done: string[] = [];
  await handleDroppedFile(new File([text], name), {
    showNodes: () => void done.push('show nodes'),
    importNodes: () => Promise.resolve(done.push('import nodes')),
    importRun: () => Promise.resolve(run === undefined ? undefined : ({ id: run } as ImportedRun)),
    showImported: ({ id }) => Promise.resolve(void done.push(`open ${id}`)),
    openPlan: (yaml) => void done.push(`plan ${yaml}`),
    publish: ({ name: video }) => void done.push(`publish ${video}`),
    problem: (sentence) => void done.push(sentence),
  });
  return done;
}

describe('a file dropped on the window', () => {
  it('may be a list of nodes, which is shown', async () => {
    expect(await drop('fleet.yaml')).toEqual(['show nodes', 'import nodes']);
    expect(await drop('fleet.YML')).toEqual(['show nodes', 'import nodes']);
  });

  it('may be a plan, which opens as text', async () => {
    expect(await drop('p.yaml', undefined, 'nodes: {}\npull: {}')).toEqual(['plan nodes: {}\npull: {}']);
  });

  it('may be a run, which is opened if readable', async () => {
    expect(await drop('a.fullhouse', 'run-1')).toEqual(['open run-1']);
    expect(await drop('a.fullhouse')).toEqual([]);
  });

  it('may be a video, which is offered for publishing', async () => {
    expect(await drop('clip.MP4')).toEqual(['publish clip.MP4']);
    expect(await drop('clip.mkv')).toEqual(['publish clip.mkv']);
  });

  it('is refused otherwise', async () => {
    const [sentence] = await drop('holiday.jpg');
    expect(sentence).toContain('"holiday.jpg" is not a run, plan, list of nodes or video');
  });
});
