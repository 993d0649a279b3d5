"""The workflows: pinned by commit, with least permissions, calling the README's own commands."""

import re

import pytest
import yaml
from chapters import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def faults(text):
    workflow = yaml.safe_load(text)
    for action in re.findall(r"uses: (\S+)", text):
        if not re.fullmatch(r"[\w-]+/[\w./-]+@[0-9a-f]{40}", action):
            yield f"not pinned by commit: {action}"
    if workflow.get("permissions") != {"contents": "read"}:
        yield "more than read permission for every job"
    for name, job in workflow["jobs"].items():
        if "timeout-minutes" not in job:
            yield f"{name} has no time limit"
    for target in re.findall(r"\bmake (\w+)", text):
        if not re.search(rf"^{target}:.*## ", (ROOT / "Makefile").read_text(), re.M):
            yield f"there is no make {target}"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow(path):
    assert list(faults(path.read_text())) == []


@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [
        (r"checkout@\w{40}", "checkout@v5", "not pinned"),
        (r"contents: read", "contents: write", "permission"),
        (r"timeout-minutes: \d+", "name: x", "time limit"),
        (r"make test", "make tests", "no make tests"),
    ],
)
def test_each_guard_sees_its_fault(old, new, seen):
    text = next(p for p in WORKFLOWS if p.stem == "book").read_text()
    assert any(seen in fault for fault in faults(re.sub(old, new, text)))


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_command_of_the_page_exists(page):
    makefile = (ROOT / "Makefile").read_text()
    commands = set(re.findall(r"\bmake ([a-z]+)\b", (ROOT / page).read_text()))
    assert commands
    for command in commands:
        assert re.search(rf"^{command}:.*## ", makefile, re.M), (
            f"{page}: make {command}"
        )
