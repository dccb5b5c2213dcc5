"""What comes from outside, behind ports."""
