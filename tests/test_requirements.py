"""requirements.txt is what requirements.in asks for: pinned, hashed, with the same markers."""

import re
from itertools import pairwise

import pytest
from chapters import ROOT
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ASKED = (ROOT / "requirements.in").read_text()
LOCKED = (ROOT / "requirements.txt").read_text()
# One environment for each system and Python that the lock is for.
SYSTEMS = {
    "Linux": ("Linux", "linux", "x86_64", "posix"),
    "Linux on Arm": ("Linux", "linux", "aarch64", "posix"),
    "macOS": ("Darwin", "darwin", "arm64", "posix"),
    "Windows": ("Windows", "win32", "AMD64", "nt"),
}
KEYS = ("platform_system", "sys_platform", "platform_machine", "os_name")
ENVIRONMENTS = {
    f"{system}, Python {python}": dict(zip(KEYS, values, strict=True))
    | {"python_version": python, "python_full_version": f"{python}.7"}
    for system, values in SYSTEMS.items()
    for python in ("3.11", "3.12", "3.13")
}


def asked(text):
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return [Requirement(line) for line in lines if line]


def locked(text):
    """Return [(name, version, marker or None, number of hashes, asked for directly)]."""
    found = []
    for block in re.split(r"\n(?=\S)", text.strip()):
        head = block.split("\\")[0].strip()
        requirement = Requirement(head)
        (pin,) = requirement.specifier
        assert pin.operator == "==", head
        direct = "-r requirements.in" in block
        hashes = block.count("--hash=sha256:")
        found.append(
            (requirement.name, pin.version, requirement.marker, hashes, direct)
        )
    return found


def applies(marker, environment):
    return marker is None or Marker(str(marker)).evaluate(environment)


def disagreements(asked_text, locked_text):
    """Return where the lock is not what was asked for, on any supported system and Python."""
    pins = locked(locked_text)
    found = [
        f"{name}=={version} has no hash" for name, version, _, n, _ in pins if not n
    ]
    wanted = asked(asked_text)
    for key, environment in ENVIRONMENTS.items():
        here = {
            canonicalize_name(name): version
            for name, version, marker, _, _ in pins
            if applies(marker, environment)
        }
        for requirement in wanted:
            name = canonicalize_name(requirement.name)
            if not applies(requirement.marker, environment):
                if name in here and name.startswith("tensorflow"):
                    found.append(f"{key}: {name} is locked and not asked for")
            elif name not in here:
                found.append(f"{key}: {requirement} is not locked")
            elif not requirement.specifier.contains(here[name], prereleases=True):
                found.append(f"{key}: {requirement} is locked as {here[name]}")
    names = {canonicalize_name(requirement.name) for requirement in wanted}
    found += [
        f"{name} is locked as a direct dependency and is not asked for"
        for name, *_, direct in pins
        if direct and canonicalize_name(name) not in names
    ]
    return found


def test_the_lock_is_what_is_asked_for():
    assert disagreements(ASKED, LOCKED) == []


def test_every_direct_dependency_has_a_reason():
    lines = ASKED.splitlines()
    for before, line in pairwise(lines):
        if line and not line.startswith("#"):
            assert before.startswith("#"), f"no reason stands above {line}"


@pytest.mark.parametrize(
    ("asked_change", "locked_change", "seen"),
    [
        (("pytest>=9,<10", "pytest>=10"), None, "pytest"),
        (("nbval>=", "nbval-next>="), None, "nbval"),
        (None, ("jupyter-book==1", "jupyter-book==2"), "jupyter-book"),
        (None, ("\ntensorflow==", "\ntensorflow-macos=="), "tensorflow"),
        (None, ("--hash=sha256:", "--hash=md5:"), "no hash"),
    ],
)
def test_each_guard_sees_its_fault(asked_change, locked_change, seen):
    changed_in = ASKED.replace(*asked_change) if asked_change else ASKED
    changed_lock = LOCKED.replace(*locked_change) if locked_change else LOCKED
    assert (changed_in, changed_lock) != (ASKED, LOCKED)
    assert any(seen in line for line in disagreements(changed_in, changed_lock))
