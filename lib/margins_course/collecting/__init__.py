"""Collecting what students handed in: untrusted files are read, assigned to their owners and recorded."""
