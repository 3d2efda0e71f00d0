"""An event before it begins: templates, settings, formats, the draw."""
