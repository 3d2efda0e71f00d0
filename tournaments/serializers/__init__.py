"""The API's words for events: what may be sent, and what comes back."""
