import { getContext, setContext } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { MenuCorner, MenuItem } from '../menu';

/** What a right click on something offers. */
export interface ContextMenuContent {
  /** For screen readers: `Run Monday`. */
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** The one menu of the window that belongs to a place: a row, a picture, a job. */
export class ContextMenus {
  open = $state.raw<ContextMenuContent & { readonly corner: MenuCorner }>();

  show(content: ContextMenuContent, corner: MenuCorner): void {
    if (content.items.length > 0) this.open = { ...content, corner };
  }

  close(): void {
    this.open = undefined;
  }
}

const context = Symbol('context menus');

/** Called once by the window, which shows the menu. */
export const provideContextMenus = (): ContextMenus => setContext(context, new ContextMenus());

/** For components, called during initialisation. Outside the window no menu opens. */
export const useContextMenus = (): Pick<ContextMenus, 'show'> =>
  getContext<ContextMenus | undefined>(context) ?? { show: () => undefined };

/** The Menu key, and what stands for it on keyboards without one. */
export const isMenuKey = ({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

/** At the pointer. */
export const cornerAtPointer = ({ clientX, clientY }: MouseEvent): MenuCorner => ({
  x: clientX,
  y: clientY,
  align: 'left',
});

/** Below an element, for a menu by keyboard. */
export function cornerBelow(element: Element): MenuCorner {
  const { left, top, bottom } = element.getBoundingClientRect();
  return { x: left + 12, y: bottom + 2, align: 'left', aboveY: top - 2 };
}

/** A text field has the menu of the system. */
export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** Opens a menu by right click, and by its keys while the focus is inside. */
export function contextMenu(menus: Pick<ContextMenus, 'show'>, content: () => ContextMenuContent): Attachment {
  return (element) => {
    const take = (event: Event, corner: MenuCorner): void => {
      if (isTextField(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      menus.show(content(), corner);
    };
    const onPointer = (event: Event): void => take(event, cornerAtPointer(event as MouseEvent));
    const onKey = (event: Event): void => {
      if (isMenuKey(event as KeyboardEvent)) take(event, cornerBelow(element));
    };
    element.addEventListener('contextmenu', onPointer);
    element.addEventListener('keydown', onKey);
    return () => {
      element.removeEventListener('contextmenu', onPointer);
      element.removeEventListener('keydown', onKey);
    };
  };
}
