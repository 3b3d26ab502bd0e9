import { SvelteSet } from 'svelte/reactivity';

/** Nodes shown in the charts: none chosen means all. Hovering a node dims the others. */
export class Isolation {
  nodes = $state.raw<ReadonlySet<string>>(new SvelteSet());
  hovered = $state<string>();

  /** Isolates this node; with `add` in addition to those isolated. Toggling the only one shows all. */
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
