import pytest

from burstlab.report.markup import code


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("plain", "plain"),
        ("`make study` would run it", "<code>make study</code> would run it"),
        ("`a` and `b`", "<code>a</code> and <code>b</code>"),
        ("one ` alone", "one ` alone"),
        ("`<script>` & <b>", "<code>&lt;script&gt;</code> &amp; &lt;b&gt;"),
    ],
)
def test_what_stands_between_backticks_is_code_and_all_is_escaped(text: str, html: str) -> None:
    assert str(code(text)) == html
