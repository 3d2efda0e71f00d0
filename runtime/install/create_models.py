"""A step of a migration that makes many tables while Django works out once how they hang together (docs/adr/0138)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.migrations.operations.base import Operation

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.operations.models import CreateModel
    from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Creates models in the order given; none may point at a later one.

    One `CreateModel` after the other has all models rendered again that are related to the new one, which for a hundred
    models is nearly all of the time that a new database takes.
    """

    def __init__(self, models: list[CreateModel]) -> None:
        """Take the models to make."""
        self.models = models

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add all models to the state, and have it rendered anew when it is next asked for."""
        state.__dict__.pop("apps", None)
        for model in self.models:
            model.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Make the tables."""
        for model in self.models:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop the tables, the last first."""
        for model in reversed(self.models):
            model.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        """Say what the step does."""
        return f"Create models {', '.join(model.name for model in self.models)}"
