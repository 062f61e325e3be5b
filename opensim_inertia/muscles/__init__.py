"""Muscle masses and their distribution along paths."""
