"""What the API tells of money and takes, and how both are described."""
