"""What a page is sent: the written files, leaner and packed, and nothing else."""

from __future__ import annotations

import base64
import gzip
import json
import re

import pytest

from cancel_hearts_nb.view.assets import STATIC, lean, packed, script, style
from cancel_hearts_nb.view.faces import faces
from cancel_hearts_nb.view.lesson import LessonHead
from cancel_hearts_nb.view.play import PlayWidget
from cancel_hearts_nb.view.quiz import QuizWidget
from cancel_hearts_nb.view.table import TableWidget
from cancel_hearts_nb.view.wheel import PassingWheel

FILES = sorted(STATIC.iterdir())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_written_files_are_such_that_lines_may_be_stripped(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        assert line.count("`") % 2 == 0, f"{path.name}:{number}: a template string over several lines"
        assert not line.endswith("\\"), f"{path.name}:{number}: a string over several lines"
        # a comment that begins in the middle of a line ends there, so that one that fills lines begins a line
        assert line.rfind("/*") <= line.rfind("*/") or line.lstrip().startswith("/*"), f"{path.name}:{number}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_nothing_but_blanks_and_comments_is_left_out(path):
    text = path.read_text(encoding="utf-8")
    left = lean(text)
    rest = iter(line.strip() for line in text.splitlines())
    kept = left.splitlines()
    gone = []
    for line in kept:
        for other in rest:
            if other == line:
                break
            gone.append(other)
        else:
            pytest.fail(f"not a line of {path.name}: {line}")
    gone.extend(rest)
    comments = re.sub(r"/\*.*?\*/|//[^\n]*", "", "\n".join(gone), flags=re.DOTALL)
    assert comments.strip() == ""
    assert lean(left) == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\n  b\n", "a\nb"),
        ("/* one */\na", "a"),
        ("  /* one\n  two */\n  a", "a"),
        ("/* one */ a", "/* one */ a"),
        ("// one\na // two", "a // two"),
        ("a { b: 'x' } /* two */", "a { b: 'x' } /* two */"),
        ("/* one */\na\n/* two */\nb", "a\nb"),
    ],
)
def test_lines_that_are_only_comment_go(text, left):
    assert lean(text) == left


def test_what_is_packed_unpacks_to_the_same():
    text = "export default () => 'é 🂡';\n"
    letters = re.search(r"atob\('([^']*)'\)", packed(text))
    assert letters
    assert gzip.decompress(base64.b64decode(letters[1])).decode() == text


def test_widgets_send_the_packed_module_and_the_styles_of_what_they_do():
    for widget, names in ((TableWidget, ()), (PlayWidget, ("play",))):
        assert widget._esm == packed(script(*names))
        assert widget._css == style(*names)
    assert "setup" not in script()
    for other in (QuizWidget, LessonHead, PassingWheel):
        assert other._esm == packed(other._module)
        assert other._css == lean(str(other._css))


def test_the_small_tools_stand_in_one_file():
    names = [
        name
        for path in STATIC.glob("*.js")
        for name in re.findall(r"^(?:export )?(?:const|let|function) (\w+)", path.read_text(encoding="utf-8"), re.M)
    ]
    assert {"put", "fill", "recall", "themed", "watched"} <= set(names)
    # each plugin is a scope of its own only within its maker
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


def test_what_a_table_sends_besides_its_replays_is_small():
    data = json.dumps(faces(), separators=(",", ":"))
    table, play = (len((str(one._esm) + str(one._css) + data).encode()) for one in (TableWidget, PlayWidget))
    assert table < 60_000
    assert play < 80_000


@pytest.mark.slow
def test_a_browser_unpacks_it(browser):
    page = browser.new_page()
    try:
        made = page.evaluate(
            """async text => {
              const { default: make } = await import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
              const widget = make(), said = [], el = document.body, model = 'é 🂡';
              const stop = widget.initialize({ model });
              said.push(await widget.render({ model, el }), ...el.said);
              await stop();
              return [...said, ...el.said];
            }""",
            packed(
                "export default () => ({ initialize({ model }) { document.body.said = ['begun ' + model];"
                " return () => { document.body.said = ['ended']; }; },"
                " render({ model, el }) { return 'shown ' + model; } });\n"
            ),
        )
    finally:
        page.close()
    assert made == ["shown é 🂡", "begun é 🂡", "ended"]
