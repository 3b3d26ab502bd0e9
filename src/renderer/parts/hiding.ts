/** Marks the page of a hidden window, whose content is not laid out then: `data-hidden` in the styles. */
export class Hiding {
  #focused: Element | null = null;

  constructor(private readonly page: Document) {}

  /** What is not laid out loses the focus: it is given back. */
  set(isHidden: boolean): void {
    const { documentElement: root, body, activeElement } = this.page;
    if (isHidden === root.hasAttribute('data-hidden')) return;
    if (isHidden) this.#focused = activeElement;
    root.toggleAttribute('data-hidden', isHidden);
    if (isHidden) return;
    if (this.page.activeElement === body && this.#focused instanceof HTMLElement)
      this.#focused.focus({ preventScroll: true });
    this.#focused = null;
  }
}
