/** What a test can turn while the page runs. */
export class PageState {
  stream = $state<string | null>(null);
  run = $state<string | undefined>(undefined);
  runStartedMs = $state(0);
  keepStill: () => void = () => undefined;
}
