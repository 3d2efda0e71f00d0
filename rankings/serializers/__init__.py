"""What the API says of ratings."""
