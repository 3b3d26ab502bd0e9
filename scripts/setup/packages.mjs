import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mustRun, run } from './command.mjs';
import { SetupProblem } from './problem.mjs';

/**
 * Debian and Ubuntu packages for the tests: a display, Electron's libraries, a C compiler for `go test -race`, and real
 * servers.
 */
const debianPackages = {
  xvfb: () => onPath('Xvfb'),
  xauth: () => onPath('xauth'),
  libnss3: () => hasLibrary('libnss3.so'),
  'libgtk-3-0': () => hasLibrary('libgtk-3.so.0'),
  libasound2: () => hasLibrary('libasound.so.2'),
  libgbm1: () => hasLibrary('libgbm.so.1'),
  'libatk-bridge2.0-0': () => hasLibrary('libatk-bridge-2.0.so.0'),
  libxss1: () => hasLibrary('libXss.so.1'),
  libxtst6: () => hasLibrary('libXtst.so.6'),
  gcc: () => onPath('gcc') || onPath('cc'),
  'libc6-dev': () => existsSync('/usr/include/stdio.h'),
  'openssh-server': () => existsSync('/usr/sbin/sshd'),
  'openssh-client': () => onPath('ssh-keygen'),
  // Login shells of accounts that are reached over SSH.
  fish: () => onPath('fish'),
  tcsh: () => onPath('tcsh'),
  zsh: () => onPath('zsh'),
  busybox: () => onPath('busybox'),
  openssl: () => onPath('openssl'),
  nginx: () => existsSync('/usr/sbin/nginx'),
  'libnginx-mod-rtmp': () => existsSync('/usr/lib/nginx/modules/ngx_rtmp_module.so'),
  coturn: () => onPath('turnserver'),
  prometheus: () => onPath('prometheus'),
  'prometheus-node-exporter': () => onPath('prometheus-node-exporter'),
  iperf3: () => onPath('iperf3'),
  'default-jdk-headless': () => onPath('javac'),
  ffmpeg: () => onPath('ffmpeg'),
  // A browser for browser viewers without a window, and to compare viewers of agents with.
  chromium: () => onPath('chromium'),
  // An RTSP server for tests of viewers: gst-rtsp-server, with GStreamer's MP4 and RTP elements.
  'gir1.2-gst-rtsp-server-1.0': () =>
    hasLibrary('libgstrtspserver-1.0.so.0') && hasTypelib('GstRtspServer-1.0.typelib'),
  'gstreamer1.0-plugins-good': () => hasPlugin('libgstisomp4.so') && hasPlugin('libgstrtp.so'),
  'python3-gi': () => existsSync('/usr/lib/python3/dist-packages/gi'),
  iproute2: () => onPath('ip'),
  faketime: () => onPath('faketime'),
  // For packages made by the system's tools.
  fakeroot: () => onPath('fakeroot'),
  rpm: () => onPath('rpmbuild'),
};

/** For tests with a Kubernetes only. */
const forClusters = {
  'etcd-server': () => onPath('etcd'),
  containerd: () => onPath('containerd'),
  runc: () => existsSync('/usr/sbin/runc'),
  'containernetworking-plugins': () => existsSync('/usr/lib/cni/ptp'),
  iproute2: () => onPath('ip'),
};

const onPath = (program) =>
  (process.env.PATH ?? '').split(':').some((folder) => folder && existsSync(`${folder}/${program}`));

const multiarch = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'];
const hasTypelib = (name) => multiarch.some((folder) => existsSync(`${folder}/girepository-1.0/${name}`));
const hasPlugin = (name) => multiarch.some((folder) => existsSync(`${folder}/gstreamer-1.0/${name}`));

let libraries;
function hasLibrary(name) {
  libraries ??= new Set(
    ['/usr/lib', '/lib', '/usr/lib64', '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder)),
  );
  return libraries.has(name);
}

const missingOf = (wanted) =>
  process.platform === 'linux' ? Object.keys(wanted).filter((name) => !wanted[name]()) : [];

/** Debian 13 and Ubuntu 24.04 renamed libraries for their 64-bit time_t; uses the name available on this system. */
async function nameHere(name) {
  const { stdout } = await run('apt-cache', ['policy', name]);
  return /Candidate: (?!\(none\))/.test(stdout) ? name : `${name}t64`;
}

const partOf = (title, wanted) => ({
  title,
  isReady: () => missingOf(wanted).length === 0,
  async make() {
    const names = missingOf(wanted);
    const isDebian = existsSync('/etc/debian_version') && onPath('apt-get');
    const line = `apt-get update && apt-get install -y --no-install-recommends ${names.join(' ')}`;
    if (!isDebian)
      throw new SetupProblem(
        `The tests need programs or libraries that this ${systemName()} lacks; on Debian they are called: ${names.join(' ')}. Install the equivalents and run npm test again.`,
      );
    if (process.getuid?.() !== 0)
      throw new SetupProblem(
        `Packages for the tests are missing. Run this command, then npm test again:\n\n  sudo sh -c '${line}'\n`,
      );
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await mustRun('Updating the package lists', 'apt-get', ['update', '-q'], { env, timeoutMs: 300_000 });
    const known = await Promise.all(names.map(nameHere));
    await mustRun('Installing packages', 'apt-get', ['install', '-y', '-q', '--no-install-recommends', ...known], {
      env,
      timeoutMs: 600_000,
    });
    libraries = undefined;
    const still = missingOf(wanted);
    if (still.length > 0) throw new SetupProblem(`Packages still not found after installation: ${still.join(' ')}.`);
  },
});

export const packages = partOf('system packages for the tests', debianPackages);
export const clusterPackages = partOf('system packages for tests with a Kubernetes', forClusters);

function systemName() {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'Linux';
  } catch {
    return 'Linux';
  }
}
