/**
 * What a custom rule may read on a node. Rules are shared between users, so a rule must never be able to run something
 * on a server, or to copy a secret into a report: only kernel settings, kernel figures and configuration are readable.
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
export function pathProblem(path: string): string | undefined {
  if (!path.startsWith('/') || path.split('/').some((part) => part === '..' || part === '.'))
    return `"${path}" is not an absolute path; write it from the root, without "..".`;
  if (secret.test(path)) return `"${path}" may contain secrets and can't be read by rules.`;
  return allowed.some((pattern) => pattern.test(path))
    ? undefined
    : `"${path}" can't be read by rules; allowed are /proc/sys, kernel figures under /proc and /sys, and /etc.`;
}

/** e.g. `net.core.somaxconn`. */
export const sysctlName = /^[a-z0-9_]+(\.[a-z0-9_-]+)+$/i;
