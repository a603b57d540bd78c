# Sourced: where what is built or fetched for the VM stays between runs.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/luna-vm
mkdir -p "$cache"

# The newest kernel built as this checkout would build it; nothing when there is none.
recipe=$(cat "$here/kernel.config" "$here/build-kernel" | sha256sum | cut -c1-12)
built_kernel() { ls -t "$cache"/linux-*-"$recipe" 2>/dev/null | head -1; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
update_lists() { as_root apt-get update -qq; }
