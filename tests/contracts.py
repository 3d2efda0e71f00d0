"""A contract for import-linter that its own types cannot state: a wildcard of theirs stands for whole names, not for `*_views`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from importlinter import Contract, ContractCheck, output

from tests.packages import is_views

if TYPE_CHECKING:
    from grimp import ImportGraph


class PrivateViews(Contract):
    """Views are imported in their own package only, and by `config`, which gives them addresses."""

    type_name = "private_views"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find the imports of another package's views."""
        found = [
            f"{importer} -> {imported}"
            for imported in sorted(filter(is_views, graph.modules))
            for importer in sorted(graph.find_modules_that_directly_import(imported))
            if importer.partition(".")[0] not in {imported.partition(".")[0], "config"}
        ]
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each import."""
        for line in check.metadata["found"]:
            output.print_error(f"- {line}", bold=False)
