"""Keys: what opens, for how long, for whom, and what is kept of them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from app.domain.caller import Scope
from app.domain.errors import Unauthenticated
from app.embedded import Addresses
from app.services.auth import Auth
from app.services.sealing import Sealing, _checksum, make_key, read_key
from app.services.tenancy import TenancyFault
from tests.conftest import ALL_SCOPES, Service, Tenant
from tests.store.scratch import ask_now

pytestmark = pytest.mark.anyio


async def opens(service: Service, key: str, user: str = "ada") -> int:
    """The status that a key gets from a call that only reads."""
    headers = {"Authorization": f"Bearer {key}", "X-User-Id": user}
    return (await service.http.get("/memories", headers=headers)).status_code


async def test_a_key_lives_from_creation_to_revocation(service: Service, tenant: Tenant) -> None:
    tenancy, now = service.lethe.tenancy, service.lethe.now()
    key = await tenancy.add_key(tenant.id, name="backend", scopes=[Scope.READ], now=now)
    assert await opens(service, key) == 200
    listed = {record.key_id: record for record in await tenancy.keys(tenant.id)}
    parts = read_key(key)
    assert parts is not None
    assert listed[parts.key_id].name == "backend"
    assert listed[parts.key_id].scopes == ("memory:read",)
    await tenancy.revoke_key(tenant.id, parts.key_id, now=now)
    assert await opens(service, key) == 401
    # the others go on, and an ended key cannot be ended or rotated again
    assert await opens(service, tenant.key) == 200
    for again in (
        tenancy.revoke_key(tenant.id, parts.key_id, now=now),
        tenancy.rotate_key(tenant.id, parts.key_id, old_ends_at=now, now=now),
    ):
        with pytest.raises(TenancyFault, match="has ended already"):
            await again
    assert parts.key_id in {record.key_id for record in await tenancy.keys(tenant.id)}


async def test_rotation_overlaps(service: Service) -> None:
    tenant = await service.tenant(Scope.READ, Scope.WRITE, bound_user="ada")
    tenancy, now = service.lethe.tenancy, service.lethe.now()
    old = read_key(tenant.key)
    assert old is not None
    new_key = await tenancy.rotate_key(tenant.id, old.key_id, old_ends_at=now + timedelta(hours=1), now=now)
    new = read_key(new_key)
    assert new is not None
    assert [await opens(service, key) for key in (tenant.key, new_key)] == [200, 200]
    records = {record.key_id: record for record in await tenancy.keys(tenant.id)}
    assert records[new.key_id].rotated_from == old.key_id
    assert (records[new.key_id].scopes, records[new.key_id].bound_user) == (("memory:read", "memory:write"), "ada")
    assert records[new.key_id].expires_at is None
    auth = service.lethe.auth
    with pytest.raises(Unauthenticated):
        await auth.authenticate(tenant.key, now=now + timedelta(hours=1))
    assert (await auth.authenticate(new_key, now=now + timedelta(hours=1))).bound_user == "ada"


async def test_rotation_never_lengthens_a_life(service: Service, tenant: Tenant) -> None:
    tenancy, now = service.lethe.tenancy, service.lethe.now()
    ends = now + timedelta(minutes=5)
    key = await tenancy.add_key(tenant.id, name="brief", scopes=[Scope.READ], now=now, expires_at=ends)
    parts = read_key(key)
    assert parts is not None
    new_key = await tenancy.rotate_key(tenant.id, parts.key_id, old_ends_at=now + timedelta(days=1), now=now)
    new = read_key(new_key)
    assert new is not None
    records = {record.key_id: record for record in await tenancy.keys(tenant.id)}
    assert records[parts.key_id].expires_at == ends
    # a key made to end does not become one without an end by being rotated
    later = now + timedelta(minutes=2)
    third = read_key(await tenancy.rotate_key(tenant.id, new.key_id, old_ends_at=later, now=later))
    assert third is not None
    records = {record.key_id: record for record in await tenancy.keys(tenant.id)}
    assert records[new.key_id].expires_at == later
    assert records[third.key_id].expires_at == later + timedelta(minutes=5)


async def test_a_key_expires_to_the_moment_also_when_it_is_remembered(
    service: Service, tenant: Tenant, postgres: Addresses
) -> None:
    now = service.lethe.now()
    ends = now + timedelta(hours=1)
    key = await service.lethe.tenancy.add_key(tenant.id, name="brief", scopes=[Scope.READ], now=now, expires_at=ends)
    remembering = Auth(service.lethe.database, Sealing(postgres.secret_key), cache_seconds=3600)
    assert (await remembering.authenticate(key, now=ends - timedelta(microseconds=1))).tenant_id == tenant.id
    with pytest.raises(Unauthenticated):
        await remembering.authenticate(key, now=ends)


async def test_a_remembered_key_outlives_its_revocation_for_the_written_seconds_only(
    service: Service, tenant: Tenant, postgres: Addresses, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr("app.services.auth.time.monotonic", lambda: clock[0])
    remembering = Auth(service.lethe.database, Sealing(postgres.secret_key), cache_seconds=5)
    now = service.lethe.now()
    await remembering.authenticate(tenant.key, now=now)
    parts = read_key(tenant.key)
    assert parts is not None
    await service.lethe.tenancy.revoke_key(tenant.id, parts.key_id, now=now)
    clock[0] += 4.9
    await remembering.authenticate(tenant.key, now=now)
    clock[0] += 0.1
    with pytest.raises(Unauthenticated):
        await remembering.authenticate(tenant.key, now=now)


async def test_a_key_of_a_disabled_tenant_opens_nothing(service: Service, tenant: Tenant, postgres: Addresses) -> None:
    assert await opens(service, tenant.key) == 200
    await ask_now(postgres.superuser_url, "update tenants set disabled_at = now() where tenant_id = $1", tenant.id)
    assert await opens(service, tenant.key) == 401


async def test_a_bound_key_speaks_for_its_user_alone(service: Service) -> None:
    tenant = await service.tenant(*ALL_SCOPES, bound_user="ada")
    await tenant.user("ada").force("Keeps a locker at the station.", kind="semantic")
    bare = {"Authorization": f"Bearer {tenant.key}"}
    listed = await service.http.get("/memories", headers=bare)
    assert len(listed.json()["memories"]) == 1
    for other in ("bob", "Ada", "ada."):
        refused = await service.http.get("/memories", headers=bare | {"X-User-Id": other})
        assert (refused.status_code, refused.json()["code"]) == (403, "user_mismatch")


NEEDS: dict[Scope, list[tuple[str, str, Any]]] = {
    Scope.READ: [
        ("POST", "/recall", {"query": "x"}),
        ("POST", "/explain", {"question": "x"}),
        ("GET", "/memories", None),
    ],
    Scope.WRITE: [("POST", "/memories/write", {"content": "I live in Berlin."})],
    Scope.FORGET: [("POST", "/forget", {"everything": True}), ("POST", "/forget", {"query": "x", "dry_run": True})],
}


@pytest.mark.parametrize("held", list(Scope))
async def test_a_scope_opens_its_own_calls_and_no_other(service: Service, held: Scope) -> None:
    user = (await service.tenant(held)).user("ada")
    for needed, calls in NEEDS.items():
        for method, path, body in calls:
            response = await user.call(method, path, json=body)
            assert response.status_code == (200 if needed is held else 403), (held, path)
            if needed is not held:
                assert response.json()["code"] == "scope_missing"


async def test_a_typo_costs_no_look_up(service: Service, tenant: Tenant) -> None:
    statements: list[str] = []

    def keep(_c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)

    engine = service.lethe.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", keep)
    try:
        for place in range(len(tenant.key)):
            letter = "b" if tenant.key[place] == "a" else "a"
            typo = tenant.key[:place] + letter + tenant.key[place + 1 :]
            assert await opens(service, typo) == 401, typo
        for wrong in (
            "",
            "x",
            "lk_",
            "lk___",
            tenant.key[:-1],
            tenant.key + "0",
            tenant.key.upper(),
            f"{tenant.key}\n",
        ):
            with pytest.raises(Unauthenticated):
                await service.lethe.authenticate(wrong)
        assert statements == []
        # a well-formed key that nobody was given is looked up, and told the same
        unknown, _ = make_key(tenant.id)
        assert await opens(service, unknown) == 401
        assert statements
    finally:
        event.remove(engine, "before_cursor_execute", keep)


async def test_wrong_keys_are_told_alike(service: Service, tenant: Tenant) -> None:
    """The answer does not say which tenants or keys there are."""
    parts = read_key(tenant.key)
    assert parts is not None
    unknown_key, _ = make_key(tenant.id)
    unknown_tenant, _ = make_key("nobody-here")
    other = await service.tenant()
    foreign = read_key(other.key)
    assert foreign is not None
    await service.lethe.tenancy.revoke_key(other.id, foreign.key_id, now=service.lethe.now())
    answers = set()
    for key in (unknown_key, unknown_tenant, other.key, "garbage"):
        response = await service.http.get("/memories", headers={"Authorization": f"Bearer {key}", "X-User-Id": "a"})
        answers.add((response.status_code, response.content))
    assert len(answers) == 1


async def test_a_key_of_one_tenant_does_not_open_another(service: Service, tenant: Tenant) -> None:
    """The tenant is part of what is hashed: a key with the name of another tenant in it is another key."""
    parts = read_key(tenant.key)
    other = await service.tenant()
    assert parts is not None
    forged = f"lk_{other.id}_{parts.key_id}_{parts.secret}"
    assert read_key(forged + _checksum(forged)) is not None
    assert await opens(service, forged + _checksum(forged)) == 401


async def test_only_a_keyed_hash_of_a_key_is_stored(service: Service, tenant: Tenant, postgres: Addresses) -> None:
    parts = read_key(tenant.key)
    assert parts is not None
    rows = await ask_now(postgres.superuser_url, "select to_jsonb(k)::text as row, secret_hash from api_keys k")
    assert any(parts.key_id in row["row"] for row in rows)
    for row in rows:
        assert parts.secret not in row["row"]
        assert tenant.key[-10:] not in row["row"]
        assert len(row["secret_hash"]) == 32
    unkeyed = {
        hashlib.sha256(text.encode()).digest()
        for text in (
            parts.secret,
            tenant.key,
            f"{parts.key_id}{parts.secret}",
            f"{tenant.id}{parts.key_id}{parts.secret}",
        )
    }
    assert not unkeyed & {row["secret_hash"] for row in rows}
    # another secret of the service, and the same key no longer opens
    strangers = Auth(service.lethe.database, Sealing("another secret, of the same length!!"), cache_seconds=0)
    with pytest.raises(Unauthenticated):
        await strangers.authenticate(tenant.key, now=service.lethe.now())


@pytest.mark.parametrize("tenant_id", ["", "A", "a_b", "a b", "a" * 41, "a'b", "ä", "a\n"])
async def test_a_tenant_needs_a_slug(service: Service, tenant_id: str) -> None:
    with pytest.raises(TenancyFault, match="1 to 40"):
        await service.lethe.tenancy.add_tenant(tenant_id, now=service.lethe.now())


async def test_faults_of_tenants_and_keys_say_what_to_do(service: Service, tenant: Tenant) -> None:
    tenancy, now = service.lethe.tenancy, service.lethe.now()
    with pytest.raises(TenancyFault, match="already"):
        await tenancy.add_tenant(tenant.id, now=now)
    with pytest.raises(TenancyFault, match="lethe tenant list"):
        await tenancy.keys("nobody-here")
    with pytest.raises(TenancyFault, match="lethe key list"):
        await tenancy.revoke_key(tenant.id, "0000000000", now=now)
    for user in ("", "a b", "a\n", "ä", "a" * 129):
        with pytest.raises(TenancyFault, match="a user id is"):
            await tenancy.add_key(tenant.id, name="x", scopes=[Scope.READ], now=now, bound_user=user)


async def test_a_tenants_policy_holds_for_it_alone(service: Service) -> None:
    strict, other = await service.tenant(), await service.tenant()
    policy = await service.lethe.tenancy.policy(strict.id)
    await service.lethe.tenancy.set_policy(strict.id, replace(policy, min_trust=3))
    for tenant, floor in ((strict, 3), (other, 2)):
        response = await tenant.user("ada").call("POST", "/recall", json={"query": "x", "min_trust": floor - 1})
        assert response.status_code == 422
        assert (await tenant.user("ada").call("POST", "/recall", json={"query": "x", "min_trust": floor})).is_success


def test_the_checksum_is_of_the_whole_key() -> None:
    key, parts = make_key("acme")
    assert read_key(key) == parts
    assert key.startswith("lk_acme_")
    made = {make_key("acme")[0] for _ in range(200)}
    assert len(made) == 200
