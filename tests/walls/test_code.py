"""Rules that the code must keep, read from its syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import app

ROOT = Path(app.__file__).parent
# what may be named without writing a statement: the type of a session, and the driver's errors
HARMLESS = {"AsyncSession", "DBAPIError"}
# opens connections; everything else is handed a session
OPENERS = {"store/database.py", "store/migrate.py"}
TRANSACTIONS = {"owner", "tenant", "registry"}


def modules(folder: str = "") -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Module and name of everything imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def opened(tree: ast.Module) -> Iterator[str]:
    """The calls whose result is entered by `async with`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AsyncWith):
            for item in node.items:
                call = item.context_expr
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                    yield call.func.attr


def called(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr


def test_only_the_store_builds_sql() -> None:
    for name, tree in modules():
        # the embedded server makes its own roles and its database, before there is a schema
        if name.startswith(("store/", "embedded/")):
            continue
        for module, imported in imports(tree):
            if module.split(".")[0] in ("sqlalchemy", "alembic", "pgvector", "asyncpg", "psycopg"):
                assert imported in HARMLESS, f"{name} imports {imported} of {module}"
        for method in called(tree):
            assert method not in {"execute", "exec_driver_sql", "fetchval", "scalars"}, f"{name} calls {method}"


def test_only_services_open_transactions() -> None:
    found = {name for name, tree in modules() if set(opened(tree)) & TRANSACTIONS}
    assert found, "the check must see something"
    assert {name.split("/")[0] for name in found} == {"services"}
    for name, tree in modules():
        if not name.startswith("services/"):
            assert not set(opened(tree)) & {"begin", "begin_nested"} or name in OPENERS, name


def test_nobody_commits_but_the_transaction_itself() -> None:
    for name, tree in modules():
        ends = set(called(tree)) & {"commit", "rollback", "begin", "begin_nested", "flush", "autocommit"}
        # a placement begins and is flushed: words of ours, that open and end nothing
        if name.startswith("services/"):
            ends -= {"begin", "flush"}
        if name not in OPENERS and not name.startswith(("embedded/", "log")):
            assert not ends, f"{name} calls {ends}"


def test_no_statement_is_put_together_from_values() -> None:
    """Only database.py (checked literals) and privileges.py (constants) may format a statement."""
    for name, tree in modules("store"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "text":
                formatted = any(isinstance(part, ast.JoinedStr) for part in ast.walk(node))
                if formatted:
                    assert name in {"store/privileges.py", "store/tables.py"}, name


def test_identity_is_never_read_from_a_body() -> None:
    for name, tree in modules("api"):
        for node in ast.walk(tree):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                assert node.target.id not in ("user_id", "tenant_id", "user_key"), name


@pytest.mark.parametrize("name", ["mine", "mine_by_key", "ours"])
def test_filters_on_tenant_and_user_are_written_in_one_place(name: str) -> None:
    """Everywhere else a scope comes from these functions, so that one place can be read and stripped."""
    assert name in {node.name for node in _functions("store/scope.py")}
    for module, tree in modules("store"):
        if module in ("store/scope.py", "store/tables.py"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Attribute):
                of_a_row = isinstance(node.left.value, ast.Name) and node.left.value.id == "row"
                if node.left.attr in ("user_id", "user_key") and not of_a_row:
                    pytest.fail(f"{module} compares {node.left.attr} itself")
                if node.left.attr == "tenant_id":
                    # joins repeat the tenant: column against column, never against a value
                    (right,) = node.comparators
                    assert isinstance(right, ast.Attribute), module
                    assert right.attr == "tenant_id", module
                    assert isinstance(right.value, ast.Name), module


def _functions(name: str) -> list[ast.FunctionDef]:
    return [
        node for found, tree in modules() if found == name for node in tree.body if isinstance(node, ast.FunctionDef)
    ]
