"""`lethe bench speed`: how long a recall takes, beside the least that its database work can take, and beside peers."""
