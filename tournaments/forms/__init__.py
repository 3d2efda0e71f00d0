"""What people type about events, made fit for the services: `announcing`, `playing`, `arranging`."""
