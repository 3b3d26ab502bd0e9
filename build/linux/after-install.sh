#!/bin/sh
# After the installation, as root (postinst of the deb, post of the rpm). electron-builder replaces names in braces after a dollar
# sign, so variables have none here.
set -e
app=/opt/Fullhouse
name=fullhouse

# Chromium's sandbox for kernels and administrators without user namespaces; where they work, it is not used.
if [ -f "$app/chrome-sandbox" ]; then
  chown root:root "$app/chrome-sandbox"
  chmod 4755 "$app/chrome-sandbox"
fi

# Ubuntu 24.04 and later allow user namespaces only to programs with a profile. Older versions of AppArmor do not know
# its syntax, and do not need it.
profile="$app/resources/apparmor-profile"
if [ -d /etc/apparmor.d ] && command -v apparmor_parser >/dev/null 2>&1 && [ -f "$profile" ]; then
  if apparmor_parser --skip-kernel-load --skip-cache "$profile" >/dev/null 2>&1; then
    cp "$profile" "/etc/apparmor.d/$name"
    chmod 644 "/etc/apparmor.d/$name"
    # In a chroot (an image being made) the kernel is another system's.
    if [ -d /sys/kernel/security/apparmor ] && ! ischroot 2>/dev/null; then
      apparmor_parser --replace --write-cache --skip-read-cache "/etc/apparmor.d/$name" || true
    fi
  fi
fi

if command -v update-mime-database >/dev/null 2>&1; then update-mime-database /usr/share/mime || true; fi
if command -v update-desktop-database >/dev/null 2>&1; then update-desktop-database -q /usr/share/applications || true; fi
if command -v gtk-update-icon-cache >/dev/null 2>&1 && [ -f /usr/share/icons/hicolor/index.theme ]; then
  gtk-update-icon-cache -q -t -f /usr/share/icons/hicolor || true
fi
exit 0
