"""Ids are made in the app: time-ordered UUIDs (version 7, RFC 9562)."""

from __future__ import annotations

import os
import threading
import time
from uuid import UUID

_lock = threading.Lock()
_last = 0


def new_id() -> UUID:
    """Make a UUID version 7 that sorts after every earlier one of this process."""
    global _last  # noqa: PLW0603 (the counter that keeps ids of one process in order)
    with _lock:
        # 48 bits of milliseconds and 12 bits below them as one number, stepped when the clock stands still
        now = time.time_ns() // 1_000_000 << 12 | (time.time_ns() % 1_000_000) * 4096 // 1_000_000
        _last = max(now, _last + 1)
        stamp = _last
    tail = int.from_bytes(os.urandom(8)) & 0x3FFF_FFFF_FFFF_FFFF
    return UUID(int=(stamp >> 12) << 80 | 0x7 << 76 | (stamp & 0xFFF) << 64 | 0b10 << 62 | tail)
