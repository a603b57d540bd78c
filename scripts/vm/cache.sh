# Sourced: where what is built or fetched for the VM stays between runs.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/luna-vm
mkdir -p "$cache"

# The newest kernel built as this checkout would build it; nothing when there is none.
recipe=$(cat "$here/kernel.config" "$here/build-kernel" | sha256sum | cut -c1-12)
built_kernel() { ls -t "$cache"/linux-*-"$recipe" 2>/dev/null | head -1; }

# memory_files DIRECTORY: where the VM's memory lies, a file that is mapped executable: /dev/shm will do unless it is
# small or noexec (as in a container), else DIRECTORY.
memory_files() {
  if [ "$(df --output=avail -m /dev/shm 2>/dev/null | tail -1)" -lt 1024 ] 2>/dev/null ||
    grep -q ' /dev/shm .*noexec' /proc/mounts; then
    echo "$1"
  else
    echo /dev/shm
  fi
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
# What works with apt's lists, one at a time of however many runs: need_packages in scripts/lib/common.sh has the same lock.
with_lists() {
  local lock=${XDG_CACHE_HOME:-$HOME/.cache}/luna/installing
  mkdir -p "${lock%/*}"
  # No service that is installed keeps it.
  (flock 8 && "$@" 8>&-) 8>"$lock"
}
update_lists() { as_root apt-get update -qq; }
