import type { JSHandle, Page } from 'playwright-core';

/** What can be used now: the topmost open dialog, else the whole page. */
export function usablePart(page: Page): Promise<JSHandle<Document | Element>> {
  return page.evaluateHandle(() => [...document.querySelectorAll('dialog[open]')].at(-1) ?? document);
}
