import { createConnection } from 'node:net';
import { pipeline } from 'node:stream';
import { FullhouseError } from '../../contract/calls';
import type { Wire } from '../../contract/wire';
import type { Clock } from '../base/clock';
import { chromiumArguments, chromiumNames, findChromium, nobody, openPage, startChromium } from '../base/chromium';
import type { SshLink } from '../links/ssh/sshLink';
import { ViewerPageServer, type PageScope } from './viewerPageServer';

const install = 'Install Chromium there (Debian: apt-get install chromium), or set browserViewers: 0';

/** Ends a browser and what it needs. */
type End = () => void;

/** Browsers without a window, for browser viewers and delay tests: on this machine, or on testers reached by SSH. */
export class Browsers {
  private readonly running = new Set<End>();

  constructor(
    private readonly clock: Clock,
    private readonly pageFolder: string | undefined,
    /** Serves a page's connection to the engine. */
    private readonly serve: (wire: Wire, scope: PageScope) => () => void,
  ) {}

  /** Opens the page in a browser of this machine. Resolves when it is connected; rejects with a sentence. */
  async startHere(scope: PageScope): Promise<End> {
    const program = findChromium();
    if (program === undefined) throw new FullhouseError('no-browser', `This machine has no Chromium. ${install}.`);
    const server = await this.page(scope);
    const browser = startChromium(program, server.url(), this.clock);
    const end = this.keep(() => {
      server.stop();
      void browser.end();
    });
    return this.connected(server, browser.closed, end);
  }

  /**
   * Opens the page in a browser of a tester. It reaches the engine through the SSH connection; media is between the
   * tester and the origin. Resolves when it is connected; rejects with a sentence.
   */
  async startOn(link: SshLink, scope: PageScope): Promise<End> {
    const { by } = scope;
    const found = await link.run(['sh', '-c', findProgram, 'sh', ...chromiumNames]);
    const [program = '', user = '', changesUser = ''] = found.stdout.split('\n');
    if (found.code !== 0 || program === '')
      throw new FullhouseError('no-browser', `${by} has no Chromium. ${install}.`);
    if (user === '0' && changesUser === '')
      throw new FullhouseError(
        'as-root',
        `The login of ${by} is root, as which Chromium has no sandbox, and ${by} has no setpriv to start it as another user. Use another login there, or set browserViewers: 0.`,
      );
    const server = await this.page(scope);
    const { port } = server;
    const forward = await link.listen((stream) =>
      // Either end may close; what is open then ends with it.
      pipeline(stream, createConnection(port, '127.0.0.1'), stream, () => undefined),
    );
    // Every user of the tester reaches the port: it exists until the browser is connected.
    void server.connected.then(forward.close, () => undefined);
    const argv = ['sh', '-c', withProfile, 'sh', user === '0' ? String(nobody) : '', program, ...chromiumArguments()];
    const command = await link.follow(argv, { line: () => undefined });
    command.write(openPage(server.url(forward.port)));
    const end = this.keep(() => {
      server.stop();
      command.end();
      forward.close();
    });
    const closed = command.ended.then(({ stderr }) => `${program} ended${stderr ? `: ${stderr.slice(0, 200)}` : ''}.`);
    return this.connected(server, closed, end);
  }

  close(): void {
    for (const end of this.running) end();
  }

  /** A browser that does not open its page is ended. */
  private async connected(server: ViewerPageServer, closed: Promise<string>, end: End): Promise<End> {
    try {
      await Promise.race([
        server.connected,
        closed.then((sentence) => {
          throw new FullhouseError('no-browser', `The browser has not opened its page: ${sentence}`);
        }),
      ]);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  private keep(end: End): End {
    const once = (): void => {
      if (this.running.delete(once)) end();
    };
    this.running.add(once);
    return once;
  }

  private page(scope: PageScope): Promise<ViewerPageServer> {
    if (this.pageFolder === undefined)
      throw new FullhouseError('no-browser', 'This installation has no page of browser viewers.');
    return ViewerPageServer.start(this.pageFolder, scope, this.serve, this.clock);
  }
}

/** Shell text that prints the first of its arguments that is a program, the user's number, and setpriv. */
const findProgram = 'for name; do command -v "$name" && id -u && { command -v setpriv || echo; exit; }; done; exit 1';

/**
 * Shell text that runs its arguments with a temporary profile, as the user of its first argument unless that is empty,
 * until standard input is closed: the browser reads it as its descriptor 3. The profile is removed by a process of
 * another session, since the shell may be killed together with the browser.
 */
const withProfile = `user=$1
shift
profile=$(mktemp -d) || exit 1
export TMPDIR="$profile"
if [ -n "$user" ]; then
  chown "$user:$user" "$profile" || exit 1
  export HOME="$profile" XDG_CONFIG_HOME="$profile" XDG_CACHE_HOME="$profile" XDG_RUNTIME_DIR="$profile"
  cd "$profile" || exit 1
  set -- setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
fi
exec 3<&0
"$@" --user-data-dir="$profile" 4>/dev/null </dev/null >/dev/null 2>&1 &
browser=$!
apart=
command -v setsid >/dev/null && apart=setsid
$apart sh -c 'cd /; while kill -0 "$1"; do sleep 1; done
for attempt in 1 2 3 4 5; do rm -rf "$2" && break; sleep 1; done' sh "$browser" "$profile" </dev/null >/dev/null 2>&1 3<&- &
wait "$browser"`;
