"""The contents of the wheel: the packages, and beside them templates, static files and translations as
`config.site`."""

import runpy
from pathlib import Path

from setuptools import find_namespace_packages, setup

CODE = (
    "careers", "config", "draw", "engine", "fixtures", "help", "matches", "money", "opinion", "players", "rankings", "records",
    "runtime", "tournaments", "venue",
)  # fmt: skip
FILES = {f"config.site.{name}": name for name in ("templates", "static", "locale")}

runpy.run_path("config/translations.py")["compile_translations"](Path("locale"))

setup(
    packages=[
        *find_namespace_packages(include=[each for name in CODE for each in (name, f"{name}.*")]),
        *FILES,
    ],
    package_dir=FILES,
    package_data={"": ["**/*.md", "**/*.toml"], **{name: ["**/*"] for name in FILES}},
    exclude_package_data={"config.site.locale": ["**/*.po"]},
    include_package_data=False,
)
