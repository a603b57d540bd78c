"""What the compiler says of each module, for scripts/docs and scripts/public-api."""
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The words of every debug build: with others everything would be made anew.
WORDS = (ROOT / "scripts/lib/debug-build").read_text().split()


def products():
    """The libraries that programs can use."""
    described = subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return sorted(
        product["name"] for product in json.loads(described.stdout)["products"]
        if "automatic" in product["type"].get("library", []))


def graphs():
    """The folder with the symbol graphs of all modules."""
    made = subprocess.run(
        ["swift", "package", *WORDS, "dump-symbol-graph", "--skip-synthesized-members", "--minimum-access-level", "public"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    folder = made.stdout.rstrip().rpartition("Files written to ")[2]
    if made.returncode or not folder:
        sys.exit(f"there are no symbol graphs:\n{made.stdout[-4000:]}")
    return pathlib.Path(folder)
