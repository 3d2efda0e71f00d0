"""Pages: one module an audience. A view shapes the request, asks a service, answers."""
