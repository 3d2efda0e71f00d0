"""Transcriptions: records entered line by line until they are submitted."""
