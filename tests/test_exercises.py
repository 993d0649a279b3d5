"""Each exercise says so when unanswered, accepts its solution, and knows typical mistakes."""

import os
import tomllib

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "1", "TF_ENABLE_ONEDNN_OPTS": "0"}

import pytest
from chapters import NOTEBOOKS, ROOT, execute, exercises, name, run


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_exercises(path):
    found = exercises(path)
    assert len(found) >= 3, (
        f"{path}: {len(found)} exercises; a chapter has at least three"
    )
    namespace = execute(path)
    for exercise in found:

        def verdict(answer, check=exercise.check, label=exercise.label):
            # The check sees the chapter's names and the answer's, and leaves nothing behind.
            scratch = dict(namespace)
            run(answer, scratch, f"<answer to {label}>")
            return run(check, scratch, f"<check of {label}>").strip()

        said = verdict(exercise.stub)
        assert said == "not answered yet", f"{exercise.label}, unanswered: {said}"
        said = verdict(exercise.solution)
        assert said.startswith("right: ") and "\n" not in said, (
            f"{exercise.label}, solution: {said}"
        )
        messages = {wrong["says"] for wrong in exercise.wrong}
        assert len(messages) == len(exercise.wrong) >= 3, (
            f"{exercise.label}: three wrong answers, a message each"
        )
        for wrong in exercise.wrong:
            said = verdict(wrong["answer"])
            assert said.startswith("not yet: ") and "\n" not in said, (
                f"{exercise.label}: {wrong['answer']}{said}"
            )
            assert wrong["says"] in said, (
                f"{exercise.label}: {wrong['answer']}says {said!r}"
            )


def test_no_orphaned_answers():
    """A file of wrong answers that no notebook reads would be tested by nothing."""
    labels = {exercise.label for path in NOTEBOOKS for exercise in exercises(path)}
    for file in (ROOT / "tests" / "wrong_answers").glob("*.toml"):
        assert set(tomllib.loads(file.read_text())) <= labels, file
