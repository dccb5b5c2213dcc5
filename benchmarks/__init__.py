"""Measuring Lethe over HTTP against published data, with simple methods in the same table. Run by `lethe bench`."""
