import { desktopCapturer, type Session } from 'electron';
import { isOwnPage } from './appPage';

/** Lets our own page publish the screen: with the system's picker if available, else the entire first screen. */
export function allowScreenCapture(session: Session): void {
  session.setDisplayMediaRequestHandler(
    (request, answer) => {
      if (!request.frame || !isOwnPage(request.frame.url)) {
        answer({});
        return;
      }
      desktopCapturer
        .getSources({ types: ['screen'] })
        .then(([screen]) => answer(screen ? { video: screen } : {}))
        .catch((error: unknown) => {
          console.error(`The screens could not be listed: ${String(error)}`);
          answer({});
        });
    },
    { useSystemPicker: true },
  );
}
