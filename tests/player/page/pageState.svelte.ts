import type { ComponentProps } from 'svelte';
import type PlayerPanel from '../../../src/renderer/player/PlayerPanel.svelte';
import type { PageEngine } from './pageEngine';

/** Props of the panel that a test can change at run time. */
export function panelProps(engine: PageEngine): ComponentProps<typeof PlayerPanel> {
  const props: ComponentProps<typeof PlayerPanel> = $state({
    engine: engine.client,
    node: { id: 'page', name: 'this page' },
    stream: null,
    runId: undefined,
    runStartedMs: undefined,
    timeZone: 'local',
    // Short, so that tests need not wait.
    clipRules: { beforeMs: 2000, afterMs: 2000, maxMs: 8000 },
  });
  return props;
}
