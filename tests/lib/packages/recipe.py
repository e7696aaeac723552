"""What rattler-build makes of the recipe of conda: reads it, builds a package by it, installs that into an environment
and runs the recipe's tests there. Prints what it found in the recipe, then what was said.

    python recipe.py RECIPE SOURCES DIRECTORY

RECIPE is read and rendered as it is. For what is built it has SOURCES in place of its address, and no requirements, as
what they name comes from a channel: no channel is asked, and the compiler and the libraries are this machine's."""
import json
import pathlib
import re
import sys

import rattler_build as conda

recipe, sources, place = map(pathlib.Path, sys.argv[1:])
[variant] = conda.Stage0Recipe.from_file(recipe).render()
print(json.dumps(variant.recipe.to_dict()))

text = re.sub(r"(?m)^requirements:\n(?: .*\n|\n)*", "", recipe.read_text(encoding="utf-8"))
text = re.sub(r"(?m)^  url: .*", f"  path: {sources.resolve()}", text)
built = conda.Stage0Recipe.from_yaml(text, recipe_dir=place / "recipe").run_build(
    tool_config=conda.ToolConfiguration(test_strategy="native"), output_dir=place / "out", channels=[],
    env_isolation=conda.EnvironmentIsolation.NONE, package_format="conda")
for result in built:
    print("\n".join(map(str, result.log)))
    for package in result.packages:
        print("package", package)
