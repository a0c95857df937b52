"""What students handed in: files are read with distrust, assigned to their owners and kept."""
