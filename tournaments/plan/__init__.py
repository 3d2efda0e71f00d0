"""Events before they begin: templates, settings, formats, the draw."""
