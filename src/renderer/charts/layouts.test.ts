import { describe, expect, it } from 'vitest';
import { settings } from '../../contract/shell';
import type { SavedLayouts } from '../../contract/layoutSchemas';
import { Layouts } from './layouts.svelte';

function make(): { layouts: Layouts; saved: () => SavedLayouts | undefined } {
  let last: SavedLayouts | undefined;
  const layouts = new Layouts((next) => (last = next));
  return { layouts, saved: () => last };
}

describe('chart layouts', () => {
  it('remember which charts are drawn as mean and band', () => {
    const { layouts, saved } = make();
    layouts.band(['cpu', 'memory'], true);
    layouts.band(['cpu'], false);
    expect(saved()?.current?.layout.banded).toEqual(['memory']);
    expect(settings.parse({ layouts: saved() }).layouts?.current?.layout.banded).toEqual(['memory']);
    layouts.remove('memory');
    expect(layouts.current.banded).toEqual([]);
  });

  it('are saved under a name, changed, renamed, deleted and reset', () => {
    const { layouts } = make();
    layouts.putChart({ id: 'custom:1', title: 'Drops', series: ['udpReceiveBufferErrorsPerSecond'] });
    expect(layouts.isChanged).toBe(true);
    layouts.save(' soak ');
    expect([layouts.name, layouts.isChanged]).toEqual(['soak', false]);
    layouts.remove('gc');
    expect(layouts.isChanged).toBe(true);
    layouts.rename('night');
    expect(layouts.saved.map(({ name }) => name)).toEqual(['night']);
    layouts.reset();
    expect([layouts.name, layouts.isChanged]).toEqual([undefined, false]);
    layouts.use({ name: 'night', layout: layouts.saved[0]?.layout ?? layouts.current });
    expect(layouts.current.hidden).toEqual(['gc']);
    layouts.delete('night');
    expect([layouts.name, layouts.saved.length, layouts.current.custom.length]).toEqual([undefined, 0, 1]);
  });

  it('are restored from the settings, and may be absent in settings of older versions', () => {
    const { layouts, saved } = make();
    layouts.putChart({ id: 'custom:1', title: 'Sockets', series: ['udpSockets'], nodes: ['origin'] });
    layouts.save('net');
    const kept = settings.parse(JSON.parse(JSON.stringify({ theme: 'dark', layouts: saved() })));
    const next = make().layouts;
    next.restore(kept.layouts);
    expect([next.name, next.current]).toEqual(['net', layouts.current]);
    next.restore(settings.parse({}).layouts);
    expect([next.name, next.saved, next.isChanged]).toEqual([undefined, [], false]);
  });

  it('offer the layout of a run if it differs', () => {
    const { layouts } = make();
    layouts.offer(layouts.inUse);
    expect(layouts.offered).toBeUndefined();
    layouts.offer({ name: 'soak', layout: { ...layouts.current, hidden: ['gc'] } });
    expect(layouts.offered?.name).toBe('soak');
    if (layouts.offered) layouts.use(layouts.offered);
    expect([layouts.current.hidden, layouts.offered]).toEqual([['gc'], undefined]);
  });
});
