import { SvelteSet } from 'svelte/reactivity';

/** Which nodes the charts show: none chosen means all. Hovering a node dims the others. */
export class Isolation {
  nodes = $state.raw<ReadonlySet<string>>(new SvelteSet());
  hovered = $state<string>();

  /** Shows this node alone; with `add` beside those shown already. The only one shown again means all. */
  toggle(node: string, add: boolean): void {
    const chosen = new SvelteSet(add ? this.nodes : []);
    if (this.nodes.has(node) && (add || this.nodes.size === 1)) chosen.delete(node);
    else chosen.add(node);
    this.nodes = chosen;
  }

  showAll(): void {
    this.nodes = new SvelteSet();
  }
}
