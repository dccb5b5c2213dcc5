"""`lethe demo`: a week of one user's life, told in a terminal with real answers of a real service."""
