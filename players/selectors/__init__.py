"""What pages and the API read: small frozen views, so that no query hides in a template.

What the viewer may not see is not in them.
"""
