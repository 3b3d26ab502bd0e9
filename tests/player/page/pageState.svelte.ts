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
  });
  return props;
}
