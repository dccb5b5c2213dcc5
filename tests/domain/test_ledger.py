"""The chain holds, and shows any change at the place where it was made."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.ledger import GENESIS, canonical, chain_hash, verify_chain

FIELDS = st.dictionaries(
    st.text(max_size=5),
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers()),
    max_size=4,
)


def chained(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    done: list[dict[str, Any]] = []
    head = GENESIS
    for row in rows:
        done.append({"fields": row, "prev": head, "hash": chain_hash(head, row)})
        head = done[-1]["hash"]
    return done


def test_canonical_json_has_one_form() -> None:
    assert canonical({"b": 1, "a": {"z": None, "y": "é"}}) == '{"a":{"y":"é","z":null},"b":1}'
    assert canonical({"a": 1, "b": 2}) == canonical({"b": 2, "a": 1})
    at = {"at": datetime(2025, 6, 3, tzinfo=UTC), "id": UUID(int=1)}
    assert canonical(at) == '{"at":"2025-06-03T00:00:00Z","id":"00000000-0000-0000-0000-000000000001"}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical({"a": float("nan")})


def test_a_hash_says_what_it_is() -> None:
    assert chain_hash(GENESIS, {}).startswith("sha256:")
    assert len(chain_hash(GENESIS, {})) == len(GENESIS) == 71
    # pinned: a change of the form would break every chain there is
    assert chain_hash(GENESIS, {"seq": 1}) == "sha256:ba45137d8c58ac9e5028ee09ba23b1b9f4c2ff587cc90ac5bd4355e39b7f0601"


@settings(deadline=None)
@given(st.lists(FIELDS, max_size=6))
def test_a_chain_holds(rows: list[dict[str, Any]]) -> None:
    assert verify_chain(chained(rows)) is None


@settings(deadline=None)
@given(st.lists(FIELDS, min_size=1, max_size=6), st.data())
def test_a_changed_row_is_found(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    chain = chained(rows)
    place = data.draw(st.integers(0, len(rows) - 1))
    chain[place]["fields"] = {**chain[place]["fields"], "added": 1}
    assert verify_chain(chain) == place


@settings(deadline=None)
@given(st.lists(FIELDS, min_size=2, max_size=6), st.data())
def test_a_removed_row_is_found_unless_it_was_the_last(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    chain = chained(rows)
    place = data.draw(st.integers(0, len(rows) - 2))
    del chain[place]
    assert verify_chain(chain) == place


def test_a_chain_can_be_checked_from_the_middle() -> None:
    chain = chained([{"seq": number} for number in range(4)])
    assert verify_chain(chain[2:], start=chain[1]["hash"]) is None
    assert verify_chain(chain[2:]) == 0
