import { app, type Session, type WebContents } from 'electron';
import { isOwnPage } from './appPage';

/** What the page may ask the system for: camera and microphone, and a picture of the screen, both to publish. */
const granted: ReadonlySet<string> = new Set(['media', 'display-capture']);

/** Whether a page may have a permission: only by name, and only our own page. */
export function mayHave(permission: string, requestingUrl: string): boolean {
  return granted.has(permission) && isOwnPage(requestingUrl);
}

/** Refuses every way out of the page: navigation, new windows, embedded pages. Whatever is created later is covered too. */
export function guardAllPages(): void {
  app.on('web-contents-created', (_event, contents) => {
    guardPage(contents);
  });
}

function guardPage(contents: WebContents): void {
  contents.on('will-navigate', (event, url) => {
    event.preventDefault();
    console.error(`A page tried to go to ${url}; refused.`);
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    console.error(`A page tried to open ${url}; refused.`);
    return { action: 'deny' };
  });
}

/** Permissions of everything that lives in a session. */
export function guardPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(mayHave(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    mayHave(permission, requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
}
