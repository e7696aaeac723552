"""Stands in for conda-build: prints what meta.yaml says it runs, a line each.

    python recipe.py META.YAML build|test

Every key has to be one that conda-build's documentation has, and what a recipe cannot do without has to be there."""
import sys

import yaml

KEYS = {
    "package": {"name", "version"},
    "source": {"url", "sha256"},
    "build": {"number", "skip", "script"},
    "requirements": {"build", "host", "run"},
    "test": {"commands"},
    "about": {"home", "license", "license_file", "summary"},
}
NEEDED = {"package": {"name", "version"}, "source": {"url", "sha256"}, "build": {"number", "script"},
          "test": {"commands"}, "about": {"home", "license", "license_file", "summary"}}

with open(sys.argv[1], encoding="utf-8") as file:
    recipe = yaml.safe_load(file)
unknown = [f"{section}/{key}" for section, held in recipe.items() for key in held if key not in KEYS.get(section, ())]
missing = [f"{section}/{key}" for section, keys in NEEDED.items() for key in keys if key not in recipe.get(section, {})]
if unknown or missing:
    sys.exit(f"{sys.argv[1]}: unknown: {unknown}; missing: {missing}")
for needs in recipe["requirements"].values():
    assert all(isinstance(need, str) for need in needs), needs
print("\n".join(recipe["build"]["script"] if sys.argv[2] == "build" else recipe["test"]["commands"]))
