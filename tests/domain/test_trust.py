from __future__ import annotations

import pytest

from app.domain.memory import Kind, Role, SourceType
from app.domain.trust import assistant_trust, derived_trust, may_instruct, trust_of


@pytest.mark.parametrize(
    ("role", "conversation", "document", "tool", "web", "imported"),
    [
        # the table of the contract, row by row
        (Role.USER, 3, 1, 1, 0, 2),
        (Role.ASSISTANT, 2, 1, 1, 0, 2),
        (Role.TOOL, 1, 1, 1, 0, 1),
        (Role.SYSTEM, None, None, None, None, None),
    ],
)
def test_trust_comes_from_the_role_and_the_channel(
    role: Role, conversation: int | None, document: int | None, tool: int | None, web: int | None, imported: int | None
) -> None:
    assert trust_of(role, SourceType.CONVERSATION) == conversation
    assert trust_of(role, SourceType.DOCUMENT) == document
    assert trust_of(role, SourceType.TOOL) == tool
    assert trust_of(role, SourceType.WEB) == web
    assert trust_of(role, SourceType.IMPORT) == imported


def test_only_a_user_in_conversation_can_be_attested() -> None:
    assert trust_of(Role.USER, SourceType.CONVERSATION, attested=True) == 4
    assert trust_of(Role.USER, SourceType.WEB, attested=True) == 0
    assert trust_of(Role.ASSISTANT, SourceType.CONVERSATION, attested=True) == 2


def test_an_assistant_is_no_better_than_what_it_has_just_read() -> None:
    assert assistant_trust(2, [3, 1, 2]) == 1
    assert assistant_trust(2, [3, None]) == 2


def test_a_derived_memory_is_no_better_than_its_parents() -> None:
    assert derived_trust(3, [3, 0]) == 0
    assert derived_trust(2, []) == 2


def test_instructions_need_the_users_own_word() -> None:
    assert may_instruct(Kind.PROCEDURAL, 3)
    assert not may_instruct(Kind.PROCEDURAL, 2)
    assert may_instruct(Kind.SEMANTIC, 0)
