# What the scripts share. Source it; it changes to the top of the checkout.

set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
ROOT=$PWD
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/luna
export SWIFT_BACKTRACE=enable=no

say() { printf '%s\n' "$*"; }
die() { printf 'luna: %s\n' "$*" >&2; exit 1; }

# Swift 6.2 or later on PATH, or a message that says how to get it.
need_swift() {
  local version
  if ! command -v swift >/dev/null; then
    die "Swift is not on PATH. Get Swift 6.3 for Debian 12 from https://www.swift.org/install/linux/" \
      "(unpack it, then: export PATH=/opt/swift/usr/bin:\$PATH), and run this again."
  fi
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -1)
  set -- $version
  if [ "${1:-0}" -lt 6 ] || { [ "$1" -eq 6 ] && [ "${2:-0}" -lt 2 ]; }; then
    die "Swift ${1:-?}.${2:-?} is too old: 6.2 or later is needed. See https://www.swift.org/install/linux/"
  fi
}

# need_packages PACKAGE...: installs the Debian packages that are missing, saying which.
need_packages() {
  local missing=() package sudo=
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || die "missing: ${missing[*]} (Debian's names); install them and run this again"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "missing: ${missing[*]}; as root run: apt-get install ${missing[*]}"
    sudo=sudo
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  # Package lists may be absent or old: fetch them only when an install fails without.
  if ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 ||
      { cat "$log" >&2; rm -f "$log"; die "could not install ${missing[*]}"; }
  fi
  rm -f "$log"
}

# The libraries of the last two are loaded by the commands that speak HTTP; the others do without.
BUILD_PACKAGES=(pkg-config libdbus-1-dev libssl-dev libsqlite3-dev zlib1g-dev libcurl4-openssl-dev libmicrohttpd-dev)

# The release binary: $LUNA.
LUNA=$ROOT/.build/release/luna
build_release() {
  swift build -c release --product luna --static-swift-stdlib "$@"
}
