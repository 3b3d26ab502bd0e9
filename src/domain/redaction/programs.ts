/**
 * Names of programs: those that run on many machines identify nobody and stay. They are replaced only where a program
 * is named, since many are words (`node`, `top`).
 */
const common: ReadonlySet<string> = new Set(
  (
    'node nodejs npm sh bash dash zsh fish python python3 perl ruby php php-fpm java javac go cargo rustc gcc cc1 cc1plus g++ clang ' +
    'ld make cmake ninja git ssh sshd sudo su cron crond anacron systemd systemd-journal systemd-journald systemd-logind systemd-resolve ' +
    'systemd-udevd init dbus-daemon dbus-broker rsyslogd journald top htop ps sleep cat grep awk sed find tar gzip xz zstd dd cp rsync curl ' +
    'wget apt apt-get dpkg dnf yum rpm snapd packagekitd unattended-upgr fwupd nginx apache2 httpd haproxy envoy traefik caddy postgres mysqld ' +
    'mariadbd mongod redis-server memcached clickhouse-serv elasticsearch kafka zookeeper rabbitmq etcd dockerd containerd containerd-shim ' +
    'docker runc crio kubelet kube-proxy kube-apiserver coredns calico-node flanneld k3s k3s-server node_exporter prometheus grafana ' +
    'grafana-server telegraf collectd chrome chromium firefox Isolated Web Co Web Content msedge safari code Code electron Xorg Xwayland ' +
    'gnome-shell kwin_wayland plasmashell pulseaudio pipewire wireplumber ffmpeg ffprobe gst-launch-1.0 obs vlc mpv iperf3 iperf stress ' +
    'stress-ng srs livekit-server nginx-rtmp coturn turnserver mediamtx janus kms qemu-system-x86 qemu-kvm libvirtd VBoxHeadless ' +
    'kworker kswapd0 ksoftirqd kcompactd0 rcu_sched migration irqbalance chronyd ntpd systemd-timesyn WindowServer kernel_task mds_stores ' +
    'svchost.exe System MsMpEng.exe explorer.exe fullhouse fullhouse-agent fullhouse-lab'
  )
    .toLowerCase()
    .split(' '),
);

/** `kworker/0:1` and similar are the kernel's. */
export function isCommonProgram(name: string): boolean {
  return (
    name === 'Fullhouse console' ||
    common.has(name.toLowerCase()) ||
    /^(kworker|ksoftirqd|migration)\/[\w:.+-]{1,12}$/.test(name)
  );
}

/** Where a sentence names a program: see `otherUse` of `model/otherLoad.ts`. */
export const namedProgram = /(?<=\(top: )[^()\n]{1,64}?(?= \d[\d,.]* %)/g;
