"""Dockerfiles as BuildKit takes them apart: what each form copies from the build context, and from which base."""

import time

import pytest

from gradewright.contract import MAX_TEXT
from gradewright.read.task.plan import read_plan

HEREDOCS = {
    "RUN <<EOF\nCOPY no /x\nEOF": "",
    "RUN <<'EOF'\nCOPY no /x\nEOF": "",
    'RUN <<"EOF"\nCOPY no /x\nEOF': "",
    "RUN <<\\EOF\nCOPY no /x\nEOF": "",
    "RUN <<-EOF\n\tCOPY no /x\n\tEOF": "",
    "RUN <<EOF\nCOPY no /x\n\tEOF\nCOPY no /x\nEOF": "",
    "RUN <<EOF\nCOPY no /x\nEOF \nCOPY no /x\nEOF": "",
    "RUN <<EOF\r\nCOPY no /x\r\nEOF\r": "",
    "RUN <<end-of.file\nCOPY no /x\nend-of.file": "",
    "RUN 3<<EOF cat /dev/fd/3\nCOPY no /x\nEOF": "",
    "RUN cat <<A <<B\nCOPY no /x\nA\nCOPY no /x\nB": "",
    "RUN cat <<A && cat <<-B\nB\nA\nCOPY no /x\n\t\tB": "",
    "RUN --mount=type=cache,target=/c <<EOF sh\nCOPY no /x\nEOF": "",
    "RUN \\\n  # why\n  <<EOF\nCOPY no /x\nEOF": "",
    "run <<eof\nCOPY no /x\neof": "",
    "ONBUILD RUN <<EOF\nCOPY no /x\nEOF": "",
    "COPY <<EOF /x\nCOPY no /x\nEOF": "",
    "ADD <<EOF /x\nCOPY no /x\nEOF": "",
    "COPY <<a.txt <<b.txt /x/\nCOPY no /x\na.txt\nCOPY no /x\nb.txt": "",
    "RUN <<EOF\n# a comment\n\nCOPY no /x \\\nEOF": "",
    "RUN echo $((1<<20))\nCOPY a /x": "a",
    "RUN echo $(( 1 << 20 ))\nCOPY a /x\n20": "a",
    "RUN echo $((x<<EOF))\nCOPY a /x\nEOF": "a",
    'RUN bash -c "cat <<EOF"\nCOPY a /x\nEOF': "a",
    "RUN bash -c 'cat <<EOF'\nCOPY a /x\nEOF": "a",
    'RUN echo "a \\" <<EOF"\nCOPY a /x\nEOF': "a",
    'RUN ["sh", "-c", "cat <<EOF"]\nCOPY a /x\nEOF': "a",
    "RUN cat <<< x\nCOPY a /x\nx": "a",
    "RUN cat <<<x\nCOPY a /x\nx": "a",
    "RUN cat<<EOF\nCOPY a /x\nEOF": "a",
    "RUN echo it's <<EOF\nCOPY a /x\nEOF": "a",
    "RUN cat <<EOF\nCOPY a /x": "a",
    "RUN cat <<A <<B\nCOPY no /x\nA\nCOPY a /x": "a",
    "ENV A=<<EOF\nCOPY a /x\nEOF": "a",
    "CMD cat <<EOF\nCOPY a /x\nEOF": "a",
    "# RUN <<EOF\nCOPY a /x\nEOF": "a",
}
LINES = {
    "COPY a \\\n b /x": "a b",
    "COPY a \\  \n b /x": "a b",
    "COPY a \\\n# c\n\n   # d\n b \\\n\n /x": "a b",
    "COPY a\\\nb /x": "ab",
    "RUN echo \\\\\nCOPY a /x": "a",
    "RUN true \\\n # COPY no /x\n && true\nCOPY a /x": "a",
    "RUN true \\\nCOPY no /x\nCOPY a /x": "a",
    "  COPY\ta\t/x": "a",
    "COPY a\tb /x": "a b",
    "copy a /x": "a",
    "# COPY no /x\n#COPY no /x\nCOPY a /x": "a",
    "RUN echo a # COPY\nCOPY b /x": "b",
    "COPY a /x\r\nCOPY b /x\r": "a b",
}
WORDS = {
    'COPY ["a b", "c", "/x/"]': "a b|c",
    'COPY ["a", \\\n  # why\n  "b", \\\n  "/x/"]': "a|b",
    'COPY --chown=1:1 ["a", "/x"]': "a",
    "COPY ['a', '/x']": "",
    'COPY ["a", 1]': "",
    "COPY [ab].txt /x": "",
    "COPY [ab].txt c /x": "c",
    "COPY a#b /x": "a#b",
    "COPY #a /x": "#a",
    'COPY "a" /x': "a",
    "COPY 'a' \"/x\"": "a",
    'COPY "a b" /x': "",
    "COPY a*.txt b?.txt c /x": "c",
    "COPY $A ${B}/c d /x": "d",
    "COPY a\\ b /x": "b",
    "COPY --from=build a /x": "",
    "COPY --from=img:1 --chown=1 a /x": "",
    "COPY --chmod=0755 a /x": "a",
    "COPY --link a /x": "a",
    "COPY --link=true --chmod=u+x --chown=me:us a b /x": "a|b",
    "COPY --parents a/./b /x": "a/./b",
    "COPY --exclude=*.md a /x": "",
    "COPY -- -a /x": "-a",
    "COPY ./ ../a /x": "./|../a",
    "COPY . .": ".",
    "ADD a.tar.gz /x": "a.tar.gz",
    "ADD https://example.org/a.tar /x": "",
    "ADD --checksum=sha256:00 https://example.org/a.tar b /x": "b",
    "ADD git@example.org:a/b.git /x": "",
    "ADD --keep-git-dir=true https://example.org/a/b.git#main:sub /x": "",
    "ADD example.org/a/b.git#v1 /x": "",
    "ONBUILD COPY a /x": "",
    "ONBUILD ADD a /x\nCOPY b /x": "b",
    "COPY a": "",
    "COPY": "",
    "WORKDIR /x y\nCOPY a /x": "a",
    'LABEL a=b\nEXPOSE 1\nUSER me\nVOLUME /v\nSTOPSIGNAL 9\nSHELL ["a"]\nHEALTHCHECK NONE\nCOPY a /x': "a",
}
BASES = {
    "FROM a:1": "a:1",
    "from a:1 as b": "a:1",
    "FROM --platform=linux/amd64 a:1": "a:1",
    "FROM --platform=$BUILDPLATFORM a:1 AS b": "a:1",
    "FROM registry/my--image:1": "registry/my--image:1",
    "FROM \\\n  # why\n  a:1": "a:1",
    "ARG V=1\nFROM a:$V": "a:1",
    "ARG V=1 W=2\nFROM a:${V}.${W}": "a:1.2",
    'ARG V="1"\nFROM a:${V}': "a:1",
    "ARG V\nFROM a:${V:-3}": "a:3",
    "ARG V\nFROM a:$V": "a:$V",
    "FROM a:1\nARG B=2\nFROM b:$B": "b:$B",
    "FROM a:1 AS one\nFROM one": "a:1",
    "FROM a:1 AS one\nFROM One AS two\nFROM two": "a:1",
    "FROM a:1 AS a\nFROM a": "a:1",
    "FROM two\nFROM b AS two": "b",
    "FROM scratch": "scratch",
    "FROM a@sha256:00": "a@sha256:00",
    "\ufeffFROM a:1": "a:1",
    "# syntax=docker/dockerfile:1\nFROM a:1": "a:1",
    "# escape=`\nFROM `\n a:1": "a:1",
    "# syntax=x\n# check=skip=all\n#ESCAPE = `\nFROM `\n a:1": "a:1",
    "# note = of words\n# escape=`\nFROM `\n a:1": "a:1",
    "# a comment\n# escape=`\nFROM \\\n a:1": "a:1",
    "\n# escape=`\nFROM \\\n a:1": "a:1",
    "RUN true\nFROM a:1": "a:1",
}


@pytest.mark.parametrize("form", [*HEREDOCS, *LINES])
def test_lines(form: str) -> None:
    wanted = (HEREDOCS | LINES)[form].split()
    found = [path for path, _, _ in read_plan(f"FROM base\n{form}\nCOPY last /x").paths]
    assert found == [*wanted, "last"]


@pytest.mark.parametrize("form", WORDS)
def test_words(form: str) -> None:
    found = [path for path, _, _ in read_plan(f"FROM base\n{form}\n").paths]
    assert found == [word for word in WORDS[form].split("|") if word]


@pytest.mark.parametrize("form", BASES)
def test_bases(form: str) -> None:
    plan = read_plan(f"{form}\n")
    assert (plan.base, plan.based) == (BASES[form], True)


def test_the_last_line_may_be_continued() -> None:
    assert [path for path, _, _ in read_plan("FROM a\nCOPY b \\\n /x \\").paths] == ["b"]


def test_places_are_those_of_the_first_line() -> None:
    text = "FROM a\nRUN <<EOF\nx\nEOF\n\n  COPY a \\\n # c\n b /x\n"
    assert read_plan(text).paths == (("a", 6, 3), ("b", 6, 3))


LARGE = {
    "FROM a\n": ("RUN <<E\n", "RUN <<E{}\n", "RUN <<-E\n\tE\n", "RUN a \\\n", "# a=b\n", "FROM a\n", "FROM a AS b\n"),
    "": ("# a=b\n", "ARG a=$a$a\n", "\n", "\t"),
    "FROM a\nRUN ": ("<<E ", '"', "'", "\\", '"\\', "<<", "--a "),
    "FROM a\nCOPY ": ("<<E ", "a ", "--a ", "[", '["a",'),
}


@pytest.mark.parametrize(("head", "unit"), [(head, unit) for head, units in LARGE.items() for unit in units])
def test_the_largest_dockerfile_is_read_at_once(head: str, unit: str) -> None:
    text = head + "".join(unit.replace("{}", str(number)) for number in range(MAX_TEXT // (len(unit) + 4)))
    start = time.process_time()
    read_plan(text)
    assert time.process_time() - start < 2
