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
  mkdir -p "$CACHE"
  # One run at a time (and no service that is installed keeps the lock); others wait for apt as well.
  exec 8>"$CACHE/installing"
  flock 8
  local apt=($sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "${missing[@]}")
  # Package lists may be absent or old: fetch them only when an install fails without.
  if ! "${apt[@]}" >"$log" 2>&1 8>&-; then
    { $sudo apt-get update && "${apt[@]}"; } >"$log" 2>&1 8>&- || { cat "$log" >&2; rm -f "$log"; die "could not install ${missing[*]}"; }
  fi
  exec 8>&-
  rm -f "$log"
}

# curl, microhttpd and mosquitto are loaded by the commands that speak HTTP or MQTT; the others do without. The
# console has Leaflet and Chart.js in it.
BUILD_PACKAGES=(pkg-config python3 libdbus-1-dev libbluetooth-dev libssl-dev libsqlite3-dev zlib1g-dev libcurl4-openssl-dev libmicrohttpd-dev libmosquitto-dev libpq-dev
  libjs-leaflet libjs-leaflet.markercluster libjs-chart.js)

# What packages are made and looked at with.
PACKAGE_PACKAGES=(gcc binutils dpkg-dev xz-utils libqrencode4 libzbar0)

# What the image is made with.
IMAGE_PACKAGES=(buildah mmdebstrap dpkg)
# What builds for another architecture, as far as that is C.
CROSS_PACKAGES=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross libbluetooth-dev)

# The release binary: $LUNA.
LUNA=$ROOT/.build/release/luna
# The helper that scripts/helper/build makes.
HELPER=$ROOT/.build/luna-helper
# How programs are built that are installed: nobody looks up names in them, functions that nobody calls are left out,
# those with the same code are kept once, and the regular expressions of the standard library are left out (SafeText has
# `contains(text:)` and its like), as are the tables for unwinding and the names of characters (release.ld). What is public
# is left out, too, where nobody calls it, in the rooms (-internalize-at-link) and in Swift's libraries (the linker). That
# saves a third of their size.
# The last line makes them the same wherever and whenever they are built: see scripts/debian/README.md.
RELEASE=(-c release --static-swift-stdlib -Xlinker "--version-script=$ROOT/scripts/lib/no-exports.map"
  -Xswiftc -use-ld=lld -Xswiftc "-ld-path=$ROOT/scripts/lib/linker" -Xlinker --gc-sections -Xlinker --icf=all -Xlinker -O2
  -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-eh-frame-hdr -Xlinker "-T$ROOT/scripts/lib/release.ld"
  -Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -internalize-at-link
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xswiftc -file-prefix-map -Xswiftc "$ROOT=.")
# Rooms that wait for people, radios and disks are built small (Package.swift names them).
export LUNA_SMALL=1
# The files of the apps in browsers are packed for it (Sources/Ground/CWebAssets).
pack_assets() {
  local from=$ROOT/Sources/Ground/CWebAssets to=$ROOT/.build/assets line name file
  mkdir -p "$to"
  while IFS= read -r line; do
    case $line in
      "static const"*) name=${line%%\[*} name=${name##* } ;;
      "#embed"*)
        file=${line#*\"} file=${file%\"}
        case $file in /*) ;; *) file=$from/$file ;; esac
        # Some are packed where they come from.
        case $file in *.gz) cp "$file" "$to/$name.gz" ;; *) gzip -9nc "$file" >"$to/$name.gz" ;; esac || return 1
        # The compiler looks at this list alone to see whether a file has changed.
        line="#embed \"$name.gz\" // $(cksum <"$to/$name.gz")"
        ;;
    esac
    printf '%s\n' "$line"
  done <"$from/files.h" >"$to/files.new" || return 1
  if cmp -s "$to/files.new" "$to/files.h"; then rm "$to/files.new"; else mv "$to/files.new" "$to/files.h"; fi
}
build_release() {
  pack_assets && swift build "${RELEASE[@]}" --product luna "$@"
}
