"""What is installed or fetched once for all checkouts of this machine, and by one of them at a time."""
import contextlib, fcntl, os, pathlib, subprocess

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "luna"


@contextlib.contextmanager
def alone():
    """Nobody else installs packages meanwhile: need_packages in common.sh has the same lock."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "installing", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def do(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace")
    assert result.returncode == 0, f"{' '.join(map(str, command))}: status {result.returncode}: {(result.stdout + result.stderr)[-3000:]}"


def clean_debian(name, include):
    """The archive of a Debian with these packages and what they need; made the first time, whole or not at all."""
    base = CACHE / f"{name}.tar"
    with alone():
        if not base.exists():
            draft = base.with_suffix(f".{os.getpid()}.tar")
            try:
                do("mmdebstrap", "--variant=minbase", f"--include={include}", "bookworm", draft)
                draft.rename(base)
            finally:
                draft.unlink(missing_ok=True)
    return base


def environment(name, package):
    """The folder of a Python environment with a package; made the first time."""
    folder = CACHE / name
    with alone():
        if not (folder / "ready").exists():
            do("python3", "-m", "venv", "--clear", folder)
            do(folder / "bin/pip", "install", "--quiet", package)
            (folder / "ready").touch()
    return folder
