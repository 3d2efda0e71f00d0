"""A contract for import-linter; the wildcards of its built-in types do not match `*_views`."""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

from tests.packages import is_views


class PrivateViews(Contract):
    """Views may only be imported in their own package, and by `config`, which routes them."""

    type_name = "private_views"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        found = [
            f"{importer} -> {imported}"
            for imported in sorted(filter(is_views, graph.modules))
            for importer in sorted(graph.find_modules_that_directly_import(imported))
            if importer.partition(".")[0] not in {imported.partition(".")[0], "config"}
        ]
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["found"]:
            output.print_error(f"- {line}", bold=False)
