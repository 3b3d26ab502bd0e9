/**
 * What a rule of one's own may read on a node. Rules are passed on between people, so that a rule must never be a way to run something on
 * a server, or to bring a secret of it into a report: kernel settings, what the kernel tells of itself, and configuration, nothing else.
 */
const allowed: readonly RegExp[] = [
  /^\/proc\/sys\/[\w./-]+$/,
  /^\/proc\/net\/[\w.-]+$/,
  /^\/proc\/(cpuinfo|meminfo|loadavg|stat|softirqs|interrupts|swaps|uptime|vmstat|version|filesystems|modules|mounts)$/,
  /^\/sys\/(block|bus|class|devices|fs\/cgroup|kernel\/mm|module)\/[\w.:@,/-]+$/,
  /^\/etc\/[\w.@/-]+$/,
];
const secret =
  /shadow|sudoers|\/ssh\/|\/ssl\/|\/pki\/|letsencrypt|keytab|secret|passw|credential|\.pem$|\.key$|_key$|\/proc\/sys\/kernel\/random/i;

/** Why a path may not be read; undefined when it may. */
export function refusedPath(path: string): string | undefined {
  if (!path.startsWith('/') || path.split('/').some((part) => part === '..' || part === '.'))
    return `"${path}" is no whole path; write it from the root, without "..".`;
  if (secret.test(path)) return `"${path}" may hold secrets and is not read by rules.`;
  return allowed.some((pattern) => pattern.test(path))
    ? undefined
    : `"${path}" is not among what rules may read: /proc/sys, figures of the kernel under /proc and /sys, and /etc.`;
}

/** e.g. `net.core.somaxconn`. */
export const sysctlName = /^[a-z0-9_]+(\.[a-z0-9_-]+)+$/i;
