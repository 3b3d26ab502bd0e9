import { app, type Session, type WebContents } from 'electron';
import { isOwnPage } from './appPage';

/** Permissions that the page may request: camera and microphone, and screen capture, both to publish. */
const granted: ReadonlySet<string> = new Set(['media', 'display-capture']);

/** Whether a page may have a permission: only a listed one, and only our own page. */
export function isPermissionAllowed(permission: string, requestingUrl: string): boolean {
  return granted.has(permission) && isOwnPage(requestingUrl);
}

/** Blocks every way out of the page: navigation, new windows, embedded pages. Also for contents created later. */
export function guardAllPages(): void {
  app.on('web-contents-created', (_event, contents) => {
    guardPage(contents);
  });
}

function guardPage(contents: WebContents): void {
  contents.on('will-navigate', (event, url) => {
    event.preventDefault();
    console.error(`Navigation to ${url} refused.`);
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    console.error(`Opening ${url} refused.`);
    return { action: 'deny' };
  });
}

/** Permissions of all contents of a session. */
export function guardPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(isPermissionAllowed(permission, details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isPermissionAllowed(permission, requestingOrigin),
  );
  session.setDevicePermissionHandler(() => false);
}
