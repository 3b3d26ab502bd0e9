#!/bin/sh
# After the removal, as root (postrm of the deb, postun of the rpm).
set -e
name=fullhouse

# An update removes the old version after the new one was installed: deb says "upgrade", rpm says 1.
case "$1" in
  upgrade | failed-upgrade | abort-* | 1) exit 0 ;;
esac

if [ -f "/etc/apparmor.d/$name" ]; then
  if [ -d /sys/kernel/security/apparmor ] && command -v apparmor_parser >/dev/null 2>&1 && ! ischroot 2>/dev/null; then
    apparmor_parser --remove "/etc/apparmor.d/$name" || true
  fi
  rm -f "/etc/apparmor.d/$name" "/etc/apparmor.d/local/$name"
fi

if command -v update-mime-database >/dev/null 2>&1 && [ -d /usr/share/mime/packages ]; then
  update-mime-database /usr/share/mime || true
fi
if command -v update-desktop-database >/dev/null 2>&1 && [ -d /usr/share/applications ]; then
  update-desktop-database -q /usr/share/applications || true
fi
exit 0
