"""What the API says and takes, one serializer an audience; nothing is sent that is not named here."""
